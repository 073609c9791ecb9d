public import APNS
internal import JSONText
public import PushModel

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

  /// The pushes in it; nil when they are written down already.
  public let lineage: Lineage?

  /// The broadcast channel that they go to; nil when each goes to a device.
  public let channel: String?

  let place: Place

  init(name: String, _ lineage: Lineage, channel: String?, _ spool: Spool) {
    self.name = name
    self.lineage = lineage
    self.channel = channel
    place = .scratch(spool)
  }

  /// What was kept of one.
  ///
  /// - Parameter channel: the broadcast channel that they go to; nil when each goes to a device.
  public init(_ copy: ListCopy, channel: String? = nil) {
    name = copy.name
    lineage = nil
    self.channel = channel
    place = .kept(copy)
  }

  /// What gives it a name; nil when it has one.
  public var spool: Spool? {
    if case .scratch(let spool) = place { spool } else { nil }
  }

  /// What a column of the rows of the list before is called in it: no name of its own is like that.
  static func key(ofColumn name: String) -> String { "column:" + name }

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

/// Writes a ``ResentList``. Memory grows only with the gaps between the pushes.
public struct ResentListWriter {
  private static let bufferSize = 1 << 16

  /// The list could not be written.
  public struct Failed: Error, Sendable, Hashable {
    /// What the system says of it.
    public let errno: Int32

    package init(errno: Int32) { self.errno = errno }
  }

  /// The pushes that were written.
  public private(set) var lineage: Lineage

  private let name: String
  private let channel: String?
  private let spool: Spool
  private var json = JSONWriter()

  /// - Parameters:
  ///   - run: the run that they are of.
  ///   - channel: the broadcast channel that they go to; nil when each goes to a device.
  ///   - scratchFolder: where it is written until its run has its number. The file has no name.
  public init(of run: RunNumber, channel: String? = nil, scratchFolder: String) {
    name = "run \(run)"
    self.channel = channel
    lineage = Lineage(of: run)
    spool = Spool(scratchFolder: scratchFolder)
  }

  /// Adds a push.
  ///
  /// - Parameters:
  ///   - token: the digits of its device token; empty for a channel.
  ///   - sequence: its number in the run that is resent.
  ///   - registered: when the app registered, in seconds since 1970; nil when that is not known.
  ///   - payload: its own payload, byte for byte; nil when it has the notification's, or when its row
  ///     made none.
  ///   - columns: the columns that are told with the results.
  ///   - values: what its row has in each of them; none where that is not known.
  public mutating func add(
    token: String, sequence: UInt64, registered: Int64?, payload: [UInt8]? = nil,
    columns: [String] = [], values: TemplateValues = TemplateValues()
  ) {
    lineage.add(sequence)
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
    for (index, name) in columns.prefix(values.count).enumerated() {
      values.withValue(at: index) { add(ResentList.key(ofColumn: name), $0, $1) }
    }
    json.endObject()
    json.endLine()
    if json.bytes.count >= Self.bufferSize { flush() }
  }

  private mutating func add(
    _ key: String, _ kind: TemplateValues.Kind, _ value: UnsafeBufferPointer<UInt8>
  ) {
    switch kind {
    case .missing: return
    case .text:
      json.key(key)
      json.string(String(decoding: value, as: UTF8.self))
    case .json:
      json.key(key)
      json.value((try? JSONReader().read(value)) ?? nil)
    }
  }

  /// The list.
  ///
  /// - Throws: `Failed` when it could not be written.
  public mutating func finish() throws(Failed) -> ResentList {
    flush()
    spool.close()
    if let code = spool.failure { throw Failed(errno: code) }
    return ResentList(name: name, lineage, channel: channel, spool)
  }

  private mutating func flush() {
    json.bytes.withUnsafeBytes { spool.write($0) }
    json.removeAll()
  }
}
