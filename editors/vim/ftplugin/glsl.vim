" Comments, indentation, and :make with the compiler, whose errors fill the quickfix list.
if exists("b:did_ftplugin")
    finish
endif
let b:did_ftplugin = 1
setlocal commentstring=//\ %s comments=://,s1:/*,mb:*,ex:*/ shiftwidth=4 expandtab cindent
setlocal makeprg=tessera\ glslc\ %\ -o\ /dev/null
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:\ %trror:\ %m
let b:undo_ftplugin = "setlocal commentstring< comments< shiftwidth< expandtab< cindent< makeprg< errorformat<"
