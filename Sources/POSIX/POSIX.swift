// The operating system's API under one name. Foundation exports it too, but linking Foundation
// makes a program three times as large and slower to start (docs/performance.md).
#if canImport(Darwin)
@_exported public import Darwin
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Glibc
#endif
