# A recorded fish reads this file after its configuration (--init-command). It announces each command
# to the terminal: its line and start (E, C) and its end (D).

function __ah_has_marks
    set -q VSCODE_SHELL_INTEGRATION; and return 0
    # fish 4 prints marks of its own.
    status test-feature mark-prompt 2>/dev/null; and return 0
    for handler in (functions --handlers-type generic | string match -rg '^fish_preexec (.+)$')
        functions $handler | string match -rq '[16]33;C'; and return 0
    end
    return 1
end

if not __ah_has_marks
    # Writes to the terminal, because the output of an event handler may be redirected.
    function __ah_preexec --on-event fish_preexec
        set -l line (string sub -l 2000 -- $argv[1] | string replace -a '\\' '\\\\' |
            string replace -a ';' '\\x3b' | string replace -ra '[[:cntrl:]]' ' ' | string join '\\x0a')
        printf '\e]633;E;%s\a\e]633;C\a' $line 2>/dev/null >/dev/tty
    end

    function __ah_postexec --on-event fish_postexec
        printf '\e]633;D;%s\a' $status 2>/dev/null >/dev/tty
    end
end
functions --erase __ah_has_marks
