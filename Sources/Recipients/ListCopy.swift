internal import POSIX
public import PushModel

/// The copy that a ``Spool`` made of a list.
public struct ListCopy: Sendable, Hashable {
  /// The name of the list when it was read. It determines the ``ListFormat``.
  public let name: String

  /// The copy holds the whole list. Otherwise the list was not read to its end, or the end of the
  /// copy is lost.
  public let isWhole: Bool

  /// The present path of the copy.
  package let path: String

  /// Finds a copy; nil when there is none, or its content has been changed.
  ///
  /// - Parameters:
  ///   - name: the name of the list.
  ///   - path: the path at which its copy was to be kept.
  public init?(of name: String, at path: String) {
    self.name = name
    let part = path + Spool.partSuffix
    let isFinished = access(path, F_OK) == 0
    guard isFinished || access(part, F_OK) == 0 else { return nil }
    self.path = isFinished ? path : part
    guard isFinished, let known = Self.fingerprint(ofCopyAt: path) else {
      isWhole = isFinished
      return
    }
    guard let found = try? ListFingerprint(path: path) else { return nil }
    isWhole = found.change(since: known) != .content
    // A truncated copy still has its first recipients.
    if !isWhole, found.size >= known.size { return nil }
  }

  /// Returns the fingerprint taken when the copy was made; nil when that is lost.
  private static func fingerprint(ofCopyAt path: String) -> ListFingerprint? {
    let descriptor = open(path + Spool.printSuffix, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let lines = LineReader(descriptor: descriptor)
    return withExtendedLifetime(lines) {
      lines.next().flatMap { ListFingerprint(text: String(decoding: $0, as: UTF8.self)) }
    }
  }

  /// Finds the end: the number of rows, and the line of the last one.
  ///
  /// - Parameter format: the format of standard input, and of a list whose name does not tell.
  /// - Throws: `ListError` when the copy cannot be read.
  public func end(as format: ListFormat) throws(ListError) -> (rows: Int, line: Int) {
    guard let rows = try RecipientSource.copy(self).open(as: format, variables: []) else {
      return (0, 0)
    }
    do throws(ListError.Fault) {
      try rows.begin()
    } catch {
      throw ListError(list: name, fault: error)
    }
    var end = (rows: 0, line: 0)
    while rows.advance() { end = (end.rows + 1, rows.line) }
    return end
  }

  /// Removes the files that a spool kept there, if any.
  public static func remove(at path: String) {
    for suffix in ["", Spool.partSuffix, Spool.printSuffix] { unlink(path + suffix) }
  }
}

extension RecipientSource {
  /// It can be read only once: standard input, a pipe, a file under `/dev`, or a resent list whose
  /// run has no number yet.
  public var isReadOnce: Bool {
    switch self {
    case .tokens, .channel, .copy: return false
    case .standardInput, .resent: return true
    case .file(let path):
      var status = stat()
      let isFile = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
      return !isFile || path.hasPrefix("/dev/")
    }
  }
}
