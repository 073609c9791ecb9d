internal import APNS
internal import JSONText
internal import Recipients
internal import Settings

/// A digest of what a plan holds, made piece by piece. Nothing can be recovered from it.
struct PlanDigest: Sendable {
  private static let blockSize = 1 << 16

  /// The hash of all blocks so far.
  private var state: [UInt8] = []
  private var block: [UInt8] = []

  /// Adds a piece, its length first, so that no two sequences of pieces are alike.
  mutating func add(_ piece: some Collection<UInt8>) {
    withUnsafeBytes(of: UInt64(piece.count).littleEndian) { block.append(contentsOf: $0) }
    block.append(contentsOf: piece)
    if block.count >= Self.blockSize { close() }
  }

  mutating func add(_ text: String) { add(Array(text.utf8)) }

  /// Adds all that another digest has.
  mutating func add(_ other: PlanDigest) { add(other.bytes) }

  /// The 32 bytes of all pieces.
  var bytes: [UInt8] {
    var digest = self
    digest.close()
    return digest.state
  }

  var id: PlanID { PlanID(digest: bytes) }

  private mutating func close() {
    state = (state + block).withUnsafeBufferPointer { SHA256Hash().digest(of: $0) }
    block.removeAll(keepingCapacity: true)
  }
}

extension PlanDigest {
  /// Adds a message as it was written: spans such as `1h` as spans, whenever that is.
  mutating func add(_ message: WrittenMessage) {
    add(Draft(target: message.target).path)
    for field in message.fields {
      add(field.name)
      add(field.value)
    }
    add(message.payload)
    for (name, value) in message.variables.sorted(by: { $0.key < $1.key }) {
      add(name)
      add(value.encodedString())
    }
  }
}
