internal import POSIX
public import PushModel

/// The copy that a ``Spool`` made of a list.
public struct ListCopy: Sendable, Hashable {
  /// What the list was called when it was read. It tells the ``ListFormat`` as it did then.
  public let name: String

  /// Whether all of the list is in it. Otherwise the list was not read to its end, or the end of the
  /// copy is lost.
  public let isWhole: Bool

  /// Where the copy is now.
  package let path: String

  /// Finds a copy; nil when there is none, or something else is in it.
  ///
  /// - Parameters:
  ///   - name: what the list was called.
  ///   - path: where its copy was to be kept.
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
    // One that has lost its end still has the recipients before it.
    if !isWhole, found.size >= known.size { return nil }
  }

  /// What the copy looked like when it was made; nil for one of an older version.
  private static func fingerprint(ofCopyAt path: String) -> ListFingerprint? {
    let descriptor = open(path + Spool.printSuffix, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let lines = LineReader(descriptor: descriptor)
    return withExtendedLifetime(lines) {
      lines.next().flatMap { ListFingerprint(text: String(decoding: $0, as: UTF8.self)) }
    }
  }

  /// How many rows are in it.
  ///
  /// - Parameter format: how standard input was written, and a list whose name does not tell.
  /// - Throws: `ListError` when it cannot be read.
  public func rowCount(as format: ListFormat) throws(ListError) -> Int {
    guard let rows = try RecipientSource.copy(self).open(as: format, variables: []) else {
      return 0
    }
    do throws(ListError.Fault) {
      try rows.begin()
    } catch {
      throw ListError(list: name, fault: error)
    }
    var count = 0
    while rows.advance() { count += 1 }
    return count
  }

  /// Removes what a spool kept there, if anything.
  public static func remove(at path: String) {
    for suffix in ["", Spool.partSuffix, Spool.printSuffix] { unlink(path + suffix) }
  }
}

extension RecipientSource {
  /// Whether it can be read only once: standard input, a pipe, what is lent under `/dev`, and a list
  /// that has no name until its run has one.
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
