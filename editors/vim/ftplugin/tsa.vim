" Comments, indentation, and :make with the assembler, whose errors fill the quickfix list.
if exists("b:did_ftplugin")
    finish
endif
let b:did_ftplugin = 1
setlocal commentstring=;\ %s comments=:;,:// shiftwidth=4 expandtab
setlocal makeprg=tessera\ as\ %\ -o\ /dev/null
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m
let b:undo_ftplugin = "setlocal commentstring< comments< shiftwidth< expandtab< makeprg< errorformat<"
