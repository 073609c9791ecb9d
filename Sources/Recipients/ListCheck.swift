public import PushModel
internal import Synchronization

/// A token list, read to its end: what is in it and what is wrong with it.
public struct ListCheck: Sendable, Hashable {
  /// How many bad lines are kept one by one; the others are only counted.
  public static let badLineLimit = 1000

  /// The list.
  public let source: RecipientSource
  /// What became of its lines.
  public let counts: RecipientCounts
  /// The first bad lines, in order.
  public let badLines: [BadLine]
  /// How many of the device tokens that would be sent to have so many digits.
  public let tokenLengths: [Int: Int]
  /// Why the list could not be read, or not to its end; nil when it could.
  public let error: ListError?

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - source: the list.
  ///   - format: how it is written when its name does not tell.
  ///   - selection: which rows are sent to.
  public init(
    _ source: RecipientSource, format: ListFormat = .txt,
    selection: RecipientSelection = RecipientSelection()
  ) {
    let found = BadLines()
    (counts, tokenLengths, error) = Self.read(source, format, selection, report: found.add)
    self.source = source
    badLines = found.list
  }

  /// The device tokens that would be sent to.
  public var tokens: Int { counts.pushes }

  private static func read(
    _ source: RecipientSource, _ format: ListFormat, _ selection: RecipientSelection,
    report: @escaping @Sendable (BadLine) -> Void
  ) -> (RecipientCounts, [Int: Int], ListError?) {
    do throws(ListError) {
      return drain(
        try RecipientReader([source], format: format, selection: selection, report: report))
    } catch {
      return (RecipientCounts(), [:], error)
    }
  }

  private static func drain(
    _ reader: consuming RecipientReader
  ) -> (RecipientCounts, [Int: Int], ListError?) {
    var lengths: [Int: Int] = [:]
    do throws(ListError) {
      while let chunk = try reader.next() {
        for index in 0..<chunk.count {
          lengths[chunk.withToken(at: index, \.count), default: 0] += 1
        }
      }
      return (reader.counts, lengths, nil)
    } catch {
      return (reader.counts, lengths, error)
    }
  }
}

/// Gathers the first bad lines of a list.
private final class BadLines: Sendable {
  private let lines = Mutex<[BadLine]>([])

  var list: [BadLine] { lines.withLock { $0 } }

  func add(_ line: BadLine) {
    lines.withLock { lines in
      if lines.count < ListCheck.badLineLimit { lines.append(line) }
    }
  }
}
