internal import POSIX
public import PushModel

/// The copy that a ``Spool`` made of a list.
public struct ListCopy: Sendable, Hashable {
  /// What the list was called when it was read. It tells the ``ListFormat`` as it did then.
  public let name: String

  /// Whether the list was read to its end. If not, what was not read is lost.
  public let isWhole: Bool

  /// Where the copy is now.
  package let path: String

  /// Finds a copy; nil when there is none.
  ///
  /// - Parameters:
  ///   - name: what the list was called.
  ///   - path: where its copy was to be kept.
  public init?(of name: String, at path: String) {
    let part = path + Spool.partSuffix
    isWhole = access(path, F_OK) == 0
    guard isWhole || access(part, F_OK) == 0 else { return nil }
    self.path = isWhole ? path : part
    self.name = name
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
    for file in [path, path + Spool.partSuffix] { unlink(file) }
  }
}

extension RecipientSource {
  /// Whether it can be read only once: standard input, a pipe, what is lent under `/dev`, and a list
  /// that has no name until its run has one.
  public var isReadOnce: Bool {
    switch self {
    case .tokens, .copy: return false
    case .standardInput, .resent: return true
    case .file(let path):
      var status = stat()
      let isFile = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
      return !isFile || path.hasPrefix("/dev/")
    }
  }
}
