/// Which rows of the lists are sent to. Each row is asked, in this order: can it be read, is it in
/// the shard, is its device token suppressed, was it there before, is the limit reached.
public struct RecipientSelection: Sendable {
  /// What to do with a device token that occurs again.
  public var duplicates = RecipientReader.Duplicates.first

  /// The device tokens not to send to; nil when there are none.
  public var suppressed: SuppressedTokens?

  /// The part of the device tokens to send to; nil for all of them. Lines that cannot be read are
  /// in the first shard.
  public var shard: Shard?

  /// The most pushes; nil for no limit. When they are made, no further line is read.
  public var limit: Int?

  /// Everybody, once.
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

/// Decides on one row after the other.
struct RecipientSieve {
  /// What becomes of a row that can be read.
  enum Verdict {
    case push
    case otherShard
    case suppressed
    case duplicate
  }

  private let selection: RecipientSelection
  /// Made only where there is a shard: OpenSSL takes its time to find the algorithm.
  private let hash: SHA256Hash?
  private var seen = FingerprintSet()
  private var pushes = 0

  init(_ selection: RecipientSelection) {
    self.selection = selection
    hash = selection.shard.map { _ in SHA256Hash() }
  }

  /// The most pushes; nil for no limit.
  var limit: Int? { selection.limit }

  /// Whether there are as many pushes as there may be.
  var isDone: Bool { selection.limit.map { pushes >= $0 } ?? false }

  /// Whether lines that cannot be read are another shard's business.
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
  /// A 64-bit hash under a key that this process drew at random.
  var fingerprint: UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(self))
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
