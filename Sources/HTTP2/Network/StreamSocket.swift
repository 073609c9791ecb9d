internal import POSIX

#if canImport(Glibc)
/// `SOCK_STREAM`, which is an enumerator here and a number there.
let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
/// `SOCK_STREAM`, which is an enumerator here and a number there.
let streamSocket = SOCK_STREAM
#endif
