public import APNS
public import PushModel
internal import Synchronization

/// A token list, read to its end: what is in it and what is wrong with it.
public struct ListCheck: Sendable, Hashable {
  /// How many bad lines are kept one by one; the others are only counted.
  public static let badLineLimit = 1000

  /// How many rows that cannot be sent are kept one by one.
  public static let badRowLimit = 10

  /// A row with a device token whose payload breaks rules.
  public struct BadRow: Sendable, Hashable {
    /// The line of the row, from 1.
    public let line: Int
    /// What it breaks.
    public let problems: [Problem]
  }

  /// The list.
  public let source: RecipientSource
  /// What became of its lines.
  public let counts: RecipientCounts
  /// The first bad lines, in order.
  public let badLines: [BadLine]
  /// The first rows that cannot be sent, in order.
  public let badRows: [BadRow]
  /// How many rows cannot be sent; nil when no payload was made of them.
  public let badRowCount: Int?
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
  ///   - rendering: makes a payload of each row; nil for none. A list that lacks a column which it
  ///     needs is an error.
  public init(
    _ source: RecipientSource, format: ListFormat = .txt,
    selection: RecipientSelection = RecipientSelection(), rendering: (any RowRendering)? = nil
  ) {
    let found = BadLines()
    var reading = Self.read(source, format, selection, rendering, report: found.add)
    if case .missingColumns = reading.error?.fault, !source.isReadOnce {
      let error = reading.error
      reading = Self.read(source, format, selection, nil, report: found.add)
      reading.error = error
    }
    self.source = source
    (counts, tokenLengths, error) = (reading.counts, reading.lengths, reading.error)
    (badRows, badRowCount) = (reading.badRows, rendering == nil ? nil : reading.badRowCount)
    badLines = found.list
  }

  private struct Reading {
    var counts = RecipientCounts()
    var lengths: [Int: Int] = [:]
    var error: ListError?
    var badRows: [BadRow] = []
    var badRowCount = 0

    mutating func add(_ chunk: PushChunk) {
      for index in 0..<chunk.count {
        lengths[chunk.withToken(at: index, \.count), default: 0] += 1
      }
      if !chunk.hasProblems { return }
      for index in 0..<chunk.count {
        guard let problems = chunk.problems(at: index)?.problems else { continue }
        badRowCount += 1
        if badRows.count < ListCheck.badRowLimit {
          badRows.append(BadRow(line: chunk.line(at: index), problems: problems))
        }
      }
    }
  }

  /// The device tokens that would be sent to.
  public var tokens: Int { counts.pushes }

  private static func read(
    _ source: RecipientSource, _ format: ListFormat, _ selection: RecipientSelection,
    _ rendering: (any RowRendering)?, report: @escaping @Sendable (BadLine) -> Void
  ) -> Reading {
    do throws(ListError) {
      return drain(
        try RecipientReader(
          [source], format: format, selection: selection, rendering: rendering,
          refusesMissing: true, report: report))
    } catch {
      return Reading(error: error)
    }
  }

  private static func drain(_ reader: consuming RecipientReader) -> Reading {
    var reading = Reading()
    do throws(ListError) {
      while let chunk = try reader.next() { reading.add(chunk) }
    } catch {
      reading.error = error
    }
    reading.counts = reader.counts
    return reading
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
