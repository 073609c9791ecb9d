internal import POSIX

/// The words of a command line that this program hands to itself over a descriptor: a program's
/// arguments can be seen by all users of the machine.
package enum HandedWords {
  /// The number that the descriptor has in the child.
  static let descriptor: Int32 = 3
  /// The child's only argument, which tells it where its words are.
  package static let argument = "@/dev/fd/\(descriptor)"

  /// A file that has the words.
  ///
  /// - Returns: nil if the system does not make one.
  package static func file(_ words: [String]) -> Int32? {
    unnamedFile(words.flatMap { Array($0.utf8) + [0] })
  }

  /// Reads the words, once.
  ///
  /// - Returns: nil if nothing was handed over.
  package static func read() -> [String]? {
    defer { close(descriptor) }
    guard let bytes = readAll(descriptor), bytes.last == 0 else { return nil }
    let parts = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
    let words = parts.compactMap { String(validating: $0, as: UTF8.self) }
    return words.count == parts.count ? words : nil
  }
}

/// A file without a name, to be read from its beginning. Unlike a pipe it takes everything at once.
///
/// - Returns: nil if the system does not make one.
package func unnamedFile(_ bytes: [UInt8]) -> Int32? {
  guard let file = tmpfile() else { return nil }
  defer { fclose(file) }
  guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else { return nil }
  rewind(file)
  // Above the numbers that a child gets, where it could be in the way of another.
  return fcntl(fileno(file), F_DUPFD_CLOEXEC, HandedWords.descriptor + 1)
}
