/// A few hundred recipients in the form that crosses threads: columns instead of objects, so that a
/// recipient costs neither an allocation nor a lock.
public final class PushChunk: Sendable {
  /// The most recipients in a chunk.
  public static let capacity = 256

  /// The number of the first push; the others follow. The first push of a run has number 1.
  public let firstSequence: UInt64

  /// The list that the recipients came from, as the user named it.
  public let list: String

  private let lines: [Int]
  private let tokens: [UInt8]
  private let tokenEnds: [Int]

  init(firstSequence: UInt64, list: String, lines: [Int], tokens: [UInt8], tokenEnds: [Int]) {
    self.firstSequence = firstSequence
    self.list = list
    self.lines = lines
    self.tokens = tokens
    self.tokenEnds = tokenEnds
  }

  /// How many recipients there are.
  public var count: Int { tokenEnds.count }

  /// The push to a recipient.
  public func push(at index: Int) -> Push { Push(chunk: self, index: index) }

  /// The line of a recipient in its list, from 1.
  public func line(at index: Int) -> Int { lines[index] }

  /// The digits of a recipient's device token, in place.
  public func withToken<Result>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let start = index == 0 ? 0 : tokenEnds[index - 1]
    return try tokens.withUnsafeBufferPointer { all in
      try body(UnsafeBufferPointer(rebasing: all[start..<tokenEnds[index]]))
    }
  }
}

/// One push: a place in a chunk.
public struct Push: Sendable {
  /// The chunk.
  public let chunk: PushChunk

  /// The place in it.
  public let index: Int

  /// The number of this push in its run, from 1.
  public var sequence: UInt64 { chunk.firstSequence + UInt64(index) }

  /// The digits of the device token.
  public var token: String { chunk.withToken(at: index) { String(decoding: $0, as: UTF8.self) } }

  /// The line of the recipient in its list, from 1.
  public var line: Int { chunk.line(at: index) }
}
