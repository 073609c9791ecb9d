/// The names of all entries in a folder, `.` and `..` included, in no particular order.
///
/// - Returns: nil when the folder cannot be read, with the reason in `errno`.
public func names(inFolder path: String) -> [String]? {
  guard let stream = opendir(path) else { return nil }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    // Read in place: a copy would read past the entry, which is only as long as its name needs.
    names.append(
      withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      })
  }
  return names
}
