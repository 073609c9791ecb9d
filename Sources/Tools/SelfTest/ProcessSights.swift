internal import APNS
internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import POSIX
internal import PlainText
internal import PushModel
internal import Reporting
internal import Synchronization

// What is to be said of the process and the system.

/// Two looks at the clock that goes on while the machine sleeps, and one at the wall clock.
struct ClockFacts {
  var first: UInt64
  var second: UInt64
  var epochSeconds: Int64

  init(first: UInt64, second: UInt64, epochSeconds: Int64) {
    (self.first, self.second, self.epochSeconds) = (first, second, epochSeconds)
  }

  /// The most looks at a clock until it has moved: those of a coarse one take milliseconds.
  private static let patience = 1_000_000

  init(_ clock: RunClock) {
    let start = clock.monotonic()
    var now = clock.monotonic()
    for _ in 0..<Self.patience where now == start { now = clock.monotonic() }
    self.init(first: start, second: now, epochSeconds: clock.epochSeconds)
  }

  var sight: PlatformSight {
    let evidence: JSON = ["epochSeconds": .number(epochSeconds)]
    if first == 0 || second < first {
      return .broken(
        "The clock that goes on while the machine sleeps cannot be read.",
        fix: "Use a system that has \(Self.name).", evidence)
    }
    if second == first {
      return .broken("\(Self.name) stands still.", fix: "Restart the machine.", evidence)
    }
    if !Diagnosis.plausibleTimes.contains(epochSeconds) {
      return .broken(
        "This machine's clock says \(ISO8601.text(seconds: epochSeconds)).", fix: StepText.clockFix,
        evidence)
    }
    return .ok("The clocks go on, and the date is plausible.", evidence)
  }

  #if os(Linux)
  private static let name = "CLOCK_BOOTTIME"
  #else
  private static let name = "CLOCK_MONOTONIC"
  #endif
}

/// Random numbers of the system, and whether OpenSSL's are seeded.
struct RandomFacts {
  var draws: [UInt64]
  var isSeeded: Bool

  var sight: PlatformSight {
    if !isSeeded {
      return .broken(
        "OpenSSL has no random numbers.", fix: "Make getrandom or /dev/urandom available.")
    }
    if Set(draws).count < draws.count {
      return .broken(
        "The system's random numbers repeat.", fix: "Make getrandom or /dev/urandom available.")
    }
    return .ok("The system and OpenSSL have random numbers.")
  }
}

/// A thread as fanfare makes them, and the deepest JSON read on it.
struct StackFacts: Sendable {
  /// Nil when the system does not say.
  var bytes: Int?
  /// The depth that was read; nil when the stack was too small to try, or reading failed.
  var depth: Int?
  var isStarted = true

  /// What JSON of the greatest depth may take.
  private static let least = 512 * 1024

  var sight: PlatformSight {
    let evidence: JSON = ["bytes": .number(bytes), "depth": .number(depth)]
    if !isStarted {
      return .broken(
        "No thread can be started.", fix: "Raise the limit with 'ulimit -u'.", evidence)
    }
    let size = bytes.map { "\(grouped($0 / 1024)) KiB" } ?? "an unknown size"
    guard let depth else {
      return .broken(
        "Threads have a stack of \(size), too little for JSON of depth "
          + "\(JSONReader.greatestDepth).",
        fix: "Raise the limit with 'ulimit -s', and report this with the system's name.", evidence)
    }
    return .ok("A thread with a stack of \(size) reads JSON of depth \(depth).", evidence)
  }

  /// Starts a thread and reads on it. A stack that is too small would end the process, so its size is
  /// looked at first.
  static func measured() -> StackFacts {
    guard let done = Wake() else { return StackFacts(isStarted: false) }
    let result = StackResult()
    let isStarted = Thread.start {
      result.facts.withLock { $0 = ofThisThread() }
      done.call()
    }
    guard isStarted else { return StackFacts(isStarted: false) }
    done.wait(milliseconds: nil)
    return result.facts.withLock { $0 }
  }

  private static func ofThisThread() -> StackFacts {
    let bytes = MachineFacts.stackSize
    if let bytes, bytes < least { return StackFacts(bytes: bytes) }
    let depth = JSONReader.greatestDepth
    let text = String(repeating: #"[{"a":"#, count: depth / 2) + "0"
    let read = try? JSONReader(depthLimit: depth)
      .read(text + String(repeating: "}]", count: depth / 2))
    return StackFacts(bytes: bytes, depth: read?.encoded().isEmpty == false ? depth : nil)
  }
}

private final class StackResult: Sendable {
  let facts = Mutex(StackFacts())
}

extension DescriptorLimit {
  /// With fewer, a push that goes into a history fails: measured on Linux.
  private static let least = 28
  /// What is open besides connections: standard streams, lists, results, the history and its files.
  private static let others = 32
  /// A connection's socket, what wakes its thread, and libcurl's own while it connects.
  private static let perConnection = 6
  private static let mostConnections = ConnectionCount.numbers.upperBound

  /// How many connections may be open at once. The first has what fewer lists and files leave over.
  var connections: Int {
    soft < Self.least ? 0 : max(1, (soft - Self.others) / Self.perConnection)
  }

  var sight: PlatformSight {
    let room = min(connections, Self.mostConnections)
    let evidence: JSON = [
      "soft": .number(Self.told(soft)), "hard": .number(Self.told(hard)),
      "connections": .number(room),
    ]
    let sentence =
      "\(Self.told(soft).map(grouped) ?? "Any number of") files and sockets may be open: \(meaning)"
    let needed = Self.others + Self.perConnection * Self.mostConnections
    let fix =
      hard >= needed
      ? "Raise the limit with 'ulimit -n \(needed)'."
      : "Have the hard limit raised (ulimit -Hn) to \(needed)."
    if room < ConnectionCount.auto.atStart { return .broken(sentence, fix: fix, evidence) }
    if room < Self.mostConnections { return .warning(sentence, fix: fix, evidence) }
    return .ok(sentence, evidence)
  }

  /// What the number is good for.
  private var meaning: String {
    if connections == 0 { return "too few for a connection and the history." }
    let enough = "enough for \(counted(min(connections, Self.mostConnections), "connection"))"
    return soft < Self.others + Self.perConnection
      ? "\(enough). Several lists, or the emulator in the same process, may need more."
      : "\(enough)."
  }

  private static func told(_ limit: Int) -> Int? { limit == .max ? nil : limit }
}
