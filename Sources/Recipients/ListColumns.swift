internal import JSONText
internal import POSIX

/// Reads the names of a list's columns.
public enum ListColumns {
  /// Returns the header of a table, or the keys of the first JSON Lines object, at most 100; empty
  /// for a list of bare tokens, and when nothing can be read.
  ///
  /// - Parameters:
  ///   - path: a file that can be opened again.
  ///   - format: the format of the file.
  public static func names(ofFile path: String, _ format: ListFormat) -> [String] {
    if format == .txt { return [] }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { return [] }
    let lines = LineReader(descriptor: descriptor)
    while let line = lines.next() {
      let text = UnsafeBufferPointer(line).trimmed
      if text.isEmpty { continue }
      return Array(names(in: text, lines, format).prefix(100))
    }
    return []
  }

  private static func names(
    in line: UnsafeBufferPointer<UInt8>, _ lines: LineReader, _ format: ListFormat
  ) -> [String] {
    if format == .csv { return (try? CSVHeader(lines))?.names ?? [] }
    return (try? JSONReader().read(line))?.object?.keys ?? []
  }
}
