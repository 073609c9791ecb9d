internal import APNS
internal import JSONText
internal import PushModel

/// Pushes of a run that are sent again: the list of the run that sends them. Its lines are JSON, and
/// a line is called by the number that the push had in its run.
public struct ResentList: Sendable, Hashable {
  enum Place: Sendable, Hashable {
    /// Written just now, and without a name until the run has its number.
    case scratch(Spool)
    /// The copy that was kept for `resume`.
    case kept(ListCopy)
  }

  /// What it is called in results.
  public let name: String

  /// How many pushes are in it; nil when that was not counted.
  public let count: Int?

  let place: Place

  init(name: String, count: Int, _ spool: Spool) {
    self.name = name
    self.count = count
    place = .scratch(spool)
  }

  /// What was kept of one.
  public init(_ copy: ListCopy) {
    name = copy.name
    count = nil
    place = .kept(copy)
  }

  /// What gives it a name; nil when it has one.
  public var spool: Spool? {
    if case .scratch(let spool) = place { spool } else { nil }
  }

  /// The copy that was kept; nil for one that was written just now.
  public var copy: ListCopy? {
    if case .kept(let copy) = place { copy } else { nil }
  }

  func lines() throws(ListError) -> LineReader {
    switch place {
    case .kept(let copy): return try RecipientSource.lines(of: copy)
    case .scratch(let spool):
      guard let descriptor = spool.descriptor() else {
        throw ListError(list: name, fault: .missing)
      }
      return LineReader(descriptor: descriptor)
    }
  }
}

/// Writes a ``ResentList``. Memory does not grow with the number of pushes.
public struct ResentListWriter {
  private static let bufferSize = 1 << 16

  /// The list could not be written.
  public struct Failed: Error, Sendable, Hashable {
    /// What the system says of it.
    public let errno: Int32

    package init(errno: Int32) { self.errno = errno }
  }

  /// How many pushes were written.
  public private(set) var count = 0

  private let name: String
  private let spool: Spool
  private var json = JSONWriter()

  /// - Parameters:
  ///   - name: what the list is called in results.
  ///   - scratchFolder: where it is written until its run has its number. The file has no name.
  public init(name: String, scratchFolder: String) {
    self.name = name
    spool = Spool(scratchFolder: scratchFolder)
  }

  /// Adds a push.
  ///
  /// - Parameters:
  ///   - token: the digits of its device token.
  ///   - sequence: its number in the run that is resent.
  ///   - registered: when the app registered, in seconds since 1970; nil when that is not known.
  ///   - payload: its own payload, byte for byte; nil when it has the notification's, or when its row
  ///     made none.
  public mutating func add(
    token: String, sequence: UInt64, registered: Int64?, payload: [UInt8]? = nil
  ) {
    count += 1
    json.beginObject()
    json.key("token")
    json.string(token)
    json.key("sequence")
    json.integer(sequence)
    if let registered {
      json.key("registered")
      json.integer(registered)
    }
    if let payload {
      json.key(PayloadRows.key)
      json.string(String(decoding: payload, as: UTF8.self))
    }
    json.endObject()
    json.endLine()
    if json.bytes.count >= Self.bufferSize { flush() }
  }

  /// The list.
  ///
  /// - Throws: `Failed` when it could not be written.
  public mutating func finish() throws(Failed) -> ResentList {
    flush()
    spool.close()
    if let code = spool.failure { throw Failed(errno: code) }
    return ResentList(name: name, count: count, spool)
  }

  private mutating func flush() {
    json.bytes.withUnsafeBytes { spool.write($0) }
    json.removeAll()
  }
}
