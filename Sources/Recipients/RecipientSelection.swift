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
