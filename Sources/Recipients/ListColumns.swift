internal import JSONText
internal import POSIX

/// The names of what the rows of a list hold.
public enum ListColumns {
  /// The header of a table, or the keys of the first object of JSON Lines, at most 100 of them;
  /// empty for a list of bare tokens, and where there is nothing to be read.
  ///
  /// - Parameters:
  ///   - path: a file, which can be opened again.
  ///   - format: how it is written.
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
