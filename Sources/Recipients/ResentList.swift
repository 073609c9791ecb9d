public import APNS
internal import JSONText
public import PushModel

/// The pushes of an earlier run that a new run sends again, as the new run's list. Each line is
/// JSON, and its line number is the number of the push in the earlier run.
public struct ResentList: Sendable, Hashable {
  enum Place: Sendable, Hashable {
    /// Just written, and unnamed until the run has its number.
    case scratch(Spool)
    /// The copy kept for `resume`.
    case kept(ListCopy)
  }

  /// The name in results.
  public let name: String

  /// The pushes in the list; nil when the ledger already has them.
  public let lineage: Lineage?

  /// The broadcast channel of the pushes; nil when each goes to a device.
  public let channel: String?

  let place: Place

  init(name: String, _ lineage: Lineage, channel: String?, _ spool: Spool) {
    self.name = name
    self.lineage = lineage
    self.channel = channel
    place = .scratch(spool)
  }

  /// Restores a list from its copy.
  ///
  /// - Parameter channel: the broadcast channel of the pushes; nil when each goes to a device.
  public init(_ copy: ListCopy, channel: String? = nil) {
    name = copy.name
    lineage = nil
    self.channel = channel
    place = .kept(copy)
  }

  /// The spool that will give it a name; nil when it has one.
  public var spool: Spool? {
    if case .scratch(let spool) = place { spool } else { nil }
  }

  /// Returns the key for a column of the original list; no key of this list's own looks like it.
  static func key(ofColumn name: String) -> String { "column:" + name }

  /// The kept copy; nil for a list that was just written.
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

/// Writes a ``ResentList``. Memory use grows only with gaps between the pushes.
public struct ResentListWriter {
  private static let bufferSize = 1 << 16

  /// The list could not be written.
  public struct Failed: Error, Sendable, Hashable {
    /// The error code from the system.
    public let errno: Int32

    package init(errno: Int32) { self.errno = errno }
  }

  /// The pushes written.
  public private(set) var lineage: Lineage

  private let name: String
  private let channel: String?
  private let spool: Spool
  private var json = JSONWriter()

  /// - Parameters:
  ///   - run: the run that the pushes belong to.
  ///   - channel: the broadcast channel of the pushes; nil when each goes to a device.
  ///   - scratchFolder: the folder for the unnamed file, used until the run has its number.
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
  ///   - sequence: its number in the earlier run.
  ///   - registered: the app's registration time, in seconds since 1970; nil when unknown.
  ///   - payload: its own payload, byte for byte; nil when it uses the notification's, or when its
  ///     row produced none.
  ///   - columns: the columns shown with the results.
  ///   - values: the row's value for each of them; empty when unknown.
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

  /// Finishes the list.
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

/// The rows of a ``ResentList``.
final class ResentRows: ListRows {
  private let rows: JSONRows

  init(_ lines: LineReader, _ variables: [String]) {
    rows = JSONRows(lines, variables: variables)
  }

  var lines: LineReader { rows.lines }

  /// The number of the push in its run.
  var line: Int { rows.integer("sequence") ?? rows.line }

  var excerpt: UnsafeBufferPointer<UInt8> { rows.excerpt }

  func advance() -> Bool { rows.advance() }

  func token() throws(LineFault) -> UnsafeBufferPointer<UInt8> { try rows.token() }

  func registered() throws(LineFault) -> Int64? { try rows.registered() }

  func addValues(to values: inout TemplateValues) { rows.addValues(to: &values) }
}
