/// The names of everything in a folder, `.` and `..` included, in no order.
///
/// - Returns: nil when the folder cannot be read, with the reason in `errno`.
public func names(inFolder path: String) -> [String]? {
  guard let stream = opendir(path) else { return nil }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    // In place: a copy would reach beyond the entry, whose name takes only as much as it needs.
    names.append(
      withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      })
  }
  return names
}
