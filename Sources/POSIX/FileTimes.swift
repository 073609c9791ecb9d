extension stat {
  /// When the file was last written, in nanoseconds since 1970 UTC.
  public var modifiedNanoseconds: Int64 {
    #if os(macOS)
    let time = st_mtimespec
    #else
    let time = st_mtim
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
