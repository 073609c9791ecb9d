internal import JSONText
internal import POSIX
internal import Synchronization
internal import WebServer

/// The commands that send nothing: a few run at a time, and others wait for their turn.
final class Calls: Sendable {
  /// The most that run at a time.
  static let width = 4
  /// The time for one, in milliseconds.
  static let patience: Int64 = 20_000
  /// The most that one may print, in bytes.
  static let limit = 4 << 20

  private struct State {
    var threads = 0
    var waiting: [StudioCall] = []
  }

  private let program: ChildProgram
  private let changes: Changes
  private let state = Mutex(State())

  init(_ program: ChildProgram, _ changes: Changes) {
    (self.program, self.changes) = (program, changes)
  }

  /// Begins a call, now or later.
  func begin(_ words: [String], input: [UInt8]?) -> StudioCall {
    let call = StudioCall(words, input)
    let needsThread = state.withLock { state in
      state.waiting.append(call)
      guard state.threads < Self.width else { return false }
      state.threads += 1
      return true
    }
    // If no other thread can be started, those that run take it.
    if needsThread, !Thread.start({ [self] in work() }) { state.withLock { $0.threads -= 1 } }
    return call
  }

  private func work() {
    while let call = next() {
      call.run(program)
      changes.tell()
    }
  }

  private func next() -> StudioCall? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.threads -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}

/// A command that runs until it ends, or until its client has gone.
final class StudioCall: Sendable {
  private struct State {
    var child: Child?
    var isCancelled = false
    var answer: JSON?
  }

  private let words: [String]
  private let input: [UInt8]?
  private let state = Mutex(State())

  fileprivate init(_ words: [String], _ input: [UInt8]?) {
    (self.words, self.input) = (words, input)
  }

  /// The answer, once it has ended.
  var answer: JSON? { state.withLock(\.answer) }

  func cancel() {
    let child = state.withLock { state in
      state.isCancelled = true
      return state.child
    }
    child?.signal(SIGKILL)
  }

  /// Runs it on this thread.
  fileprivate func run(_ program: ChildProgram) {
    let child = state.withLock { state in
      if !state.isCancelled { state.child = Child(program, words, input: input) }
      return state.child
    }
    let answer = child.map(finish) ?? Self.answer(127, [], Array("fanfare cannot be run.\n".utf8))
    state.withLock { ($0.answer, $0.child) = (answer, nil) }
  }

  private func finish(_ child: Child) -> JSON {
    var (output, errors) = ([UInt8](), [UInt8]())
    let deadline = uptime() + Calls.patience
    let status = child.finish(by: deadline) { stream, bytes in
      if stream == .output { output += bytes } else { errors += bytes }
      return output.count + errors.count <= Calls.limit
    }
    if output.count + errors.count > Calls.limit {
      (output, errors) = ([], Array("The command printed more than 4 MiB, and was ended.\n".utf8))
    } else if uptime() >= deadline {
      errors += Array("The command took longer than 20 seconds, and was ended.\n".utf8)
    }
    return Self.answer(status, output, errors)
  }

  private static func answer(_ status: Int32, _ output: [UInt8], _ errors: [UInt8]) -> JSON {
    .object([
      ("exitCode", .number(Int(status))),
      ("output", JSON(.string(String(decoding: output, as: UTF8.self)))),
      ("errors", JSON(.string(String(decoding: errors, as: UTF8.self)))),
    ])
  }
}

/// The answer to a call, once it has ended. A client that goes away ends the call.
final class CallStream: BodyStream, @unchecked Sendable {
  private let call: StudioCall
  private let place: StreamPlace
  private var heartbeat = KeepAliveSchedule()
  private var isSent = false

  init(_ call: StudioCall, _ place: StreamPlace) { (self.call, self.place) = (call, place) }

  deinit { call.cancel() }

  func next(now: Int64) -> BodyPiece {
    if isSent { return .end }
    if let answer = call.answer {
      isSent = true
      return .bytes(answer.encoded(.wire) + [0x0A])
    }
    // Only writing reveals that a client has gone. White space is allowed before JSON.
    if heartbeat.isDue(now) { return .bytes([UInt8(ascii: " ")]) }
    return .nothing(until: heartbeat.next(now))
  }
}

/// Calls what waits for changes of the children.
final class Changes: Sendable {
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  /// Makes a call once, at the next change.
  func call(_ body: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(body) } }

  /// Tells of a change.
  func tell() {
    let bodies = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for body in bodies { body() }
  }
}
