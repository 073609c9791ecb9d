// The operating system's interface under one name. Foundation has it too, but a program that holds
// Foundation is three times as large and starts more slowly (docs/performance.md).
#if canImport(Darwin)
@_exported public import Darwin
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Glibc
#endif
