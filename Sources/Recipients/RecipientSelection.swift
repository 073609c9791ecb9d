internal import APNS
public import PushModel

/// The rows of the lists that are sent to. The checks on each row, in order: readable, in the
/// shard, not suppressed, not a duplicate, within the limit.
public struct RecipientSelection: Sendable {
  /// The rule for a device token that occurs again.
  public var duplicates = RecipientReader.Duplicates.first

  /// The device tokens not to send to; nil for none.
  public var suppressed: SuppressedTokens?

  /// The part of the device tokens to send to; nil for all. Unreadable lines belong to the first
  /// shard.
  public var shard: Shard?

  /// The most pushes; nil for no limit. Reading stops when the limit is reached.
  public var limit: Int?

  /// Creates a selection; the default is all recipients, each once.
  public init(
    duplicates: RecipientReader.Duplicates = .first, suppressed: SuppressedTokens? = nil,
    shard: Shard? = nil, limit: Int? = nil
  ) {
    self.duplicates = duplicates
    self.suppressed = suppressed
    self.shard = shard
    self.limit = limit
  }
}

/// Applies a selection to rows, one after the other.
struct RecipientSelector {
  /// The decision on a readable row.
  enum Verdict {
    case push
    case otherShard
    case suppressed
    case duplicate
  }

  private let selection: RecipientSelection
  /// Nil without a shard: OpenSSL takes its time to find the algorithm.
  private let hash: SHA256Hash?
  private var seen = FingerprintSet()
  private var pushes = 0

  init(_ selection: RecipientSelection) {
    self.selection = selection
    hash = selection.shard.map { _ in SHA256Hash() }
  }

  /// The most pushes; nil for no limit.
  var limit: Int? { selection.limit }

  /// The limit is reached.
  var isDone: Bool { selection.limit.map { pushes >= $0 } ?? false }

  /// Unreadable lines belong to another shard.
  var leavesBadLines: Bool { selection.shard.map { $0.number != 1 } ?? false }

  mutating func verdict(on token: UnsafeBufferPointer<UInt8>) -> Verdict {
    if let shard = selection.shard, let hash, !shard.contains(token, hash) { return .otherShard }
    if selection.suppressed?.contains(token) == true { return .suppressed }
    if selection.duplicates == .first, !seen.insert(token.fingerprint) { return .duplicate }
    pushes += 1
    return .push
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A 64-bit hash with a random key of this process.
  var fingerprint: UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(self))
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

/// One of the parts into which all device tokens are split, the same on every machine.
public struct Shard: Sendable, Hashable {
  /// The number of the shard, from 1.
  public let number: Int

  /// The number of shards.
  public let count: Int

  /// Creates a shard; nil unless the number is between 1 and the count.
  public init?(_ number: Int, of count: Int) {
    guard number >= 1, number <= count else { return nil }
    self.number = number
    self.count = count
  }

  /// Checks that a device token is in the shard: the first eight bytes of the SHA-256 of its bytes,
  /// as a big-endian number, leave the remainder `number - 1` when divided by `count`.
  func contains(_ digits: UnsafeBufferPointer<UInt8>, _ hash: SHA256Hash) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digits.count / 2) { bytes in
      for index in bytes.indices {
        bytes[index] = digits[2 * index].hexValue << 4 | digits[2 * index + 1].hexValue
      }
      let start = hash.digest(of: UnsafeBufferPointer(bytes)).prefix(8)
      return start.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % UInt64(count) == UInt64(number - 1)
    }
  }
}

extension UInt8 {
  /// The value of a lowercase hexadecimal digit.
  fileprivate var hexValue: UInt8 { self < 0x40 ? self &- 0x30 : self &- 0x57 }
}

/// Parses the time at which an app registered for pushes, as given in a list.
enum RegistrationTime {
  /// Whole numbers from here on are milliseconds; as seconds they would lie beyond the year 5000.
  private static let firstMilliseconds: Int64 = 100_000_000_000

  /// Returns seconds since 1970, from a count of seconds or milliseconds or from ISO 8601, with or
  /// without a fraction; nil for an empty cell.
  static func seconds(_ cell: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Int64? {
    let text = cell.trimmed
    if text.isEmpty { return nil }
    if let seconds = epoch(text) { return seconds }
    let words = String(decoding: text, as: UTF8.self)
    do throws(TimeFault) { return try calendar(words) } catch {
      throw .registered(words.excerptWithoutToken, error)
    }
  }

  private static func epoch(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let digits = text.prefix(while: \.isDecimalDigit)
    guard 1...15 ~= digits.count, fraction(of: text, at: digits.endIndex) == text.count else {
      return nil
    }
    let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    return number < firstMilliseconds ? number : number / 1000
  }

  private static func calendar(_ text: String) throws(TimeFault) -> Int64 {
    let written = try ISO8601.read(text)
    guard let offset = written.offset else { throw .noOffset }
    return written.seconds - offset
  }

  /// Returns the end of the fraction that begins at a dot; the dot itself when there is none.
  private static func fraction(of text: UnsafeBufferPointer<UInt8>, at dot: Int) -> Int {
    guard dot < text.count, text[dot] == UInt8(ascii: ".") else { return dot }
    let digits = text[(dot + 1)...].prefix(while: \.isDecimalDigit)
    return digits.isEmpty ? dot : digits.endIndex
  }
}

extension UInt8 {
  fileprivate var isDecimalDigit: Bool { self &- 0x30 < 10 }
}

/// Device tokens not to send to, as 64-bit fingerprints of 10 to 14 bytes each.
public final class SuppressedTokens: Sendable {
  private let fingerprints: FingerprintSet

  /// Reads lists to their ends. A list without rows suppresses nothing.
  ///
  /// - Parameters:
  ///   - sources: the lists, of any format.
  ///   - format: the format of standard input, and of a file whose name does not tell.
  ///   - spools: the spools that copy lists as they are read, by index in `sources`.
  ///   - report: called with each line that is not a device token and so suppresses nothing.
  /// - Throws: `ListError` when a list cannot be read.
  public init(
    _ sources: [RecipientSource], format: ListFormat = .txt, spools: [Int: Spool] = [:],
    report: @escaping @Sendable (BadLine) -> Void = { _ in }
  ) throws(ListError) {
    var reader = try RecipientReader(
      sources, format: format, selection: RecipientSelection(duplicates: .send),
      mayBeEmpty: true, spools: spools, report: report)
    var fingerprints = FingerprintSet()
    while let chunk = try reader.next() {
      for index in 0..<chunk.count {
        _ = fingerprints.insert(chunk.withToken(at: index) { $0.fingerprint })
      }
    }
    self.fingerprints = fingerprints
  }

  func contains(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
    fingerprints.contains(token.fingerprint)
  }
}
