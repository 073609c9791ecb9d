public import APNS

/// The record that the history keeps of a run from its start, for display and for resuming.
///
/// Nothing in it is secret: the texts must not hold a key, a password or a provider token.
public struct RunRecord: Sendable, Hashable {
  /// The start time, in milliseconds since 1970 UTC.
  public var started: Int64
  /// The command that created the run.
  public var kind: RunKind
  /// The environment's name.
  public var environment: String
  /// The server's URL; nil for the emulator in this process.
  public var server: String?
  /// The version of this tool.
  public var version: String
  /// The scenario's name; nil when there is none.
  public var scenario: String?
  /// The number of the scenario's step, from 1; nil when there is none.
  public var step: Int?
  /// The push type; nil when the draft had none.
  public var pushType: String?
  /// The topic, or the bundle ID of the app that owns the channel; nil when the draft had none.
  public var topic: String?
  /// The broadcast channel to send to; nil when it goes to devices.
  public var channel: String?
  /// The headers as a JSON object, without `authorization`.
  public var headers: String
  /// The text of the payload or the template.
  public var payload: String
  /// The variables that apply to every push, as a JSON object.
  public var variables: String
  /// Further settings for resuming: a JSON object that only the caller understands.
  public var settings: String
  /// A push in doubt must not be sent again.
  public var atMostOnce: Bool
  /// The source of its apns-ids.
  public var identity: RunIdentity
  /// The `apns-expiration` in seconds since 1970 UTC; nil when not given.
  public var expiration: Int64?
  /// The run whose pushes are sent again; nil when it is not a resend.
  public var resends: RunNumber?

  /// Creates the record of a `send` without headers or settings, to be filled in.
  public init(started: Int64, environment: String, version: String, identity: RunIdentity) {
    self.started = started
    self.environment = environment
    self.version = version
    self.identity = identity
    kind = .send
    headers = "{}"
    payload = ""
    variables = "{}"
    settings = "{}"
    atMostOnce = false
  }

  /// Checks for expiry at a time in milliseconds since 1970 UTC. An `apns-expiration` of 0 asks for
  /// one try, and never expires.
  public func hasExpired(at now: Int64) -> Bool {
    guard let expiration, expiration > 0 else { return false }
    return expiration <= now / 1000
  }

  /// Decides whether to resend `unknown` pushes at a time in milliseconds since 1970 UTC.
  public func resendsUnknown(at now: Int64) -> Bool { !atMostOnce && !hasExpired(at: now) }

  /// The outcomes of pushes that are sent again, at a time in milliseconds since 1970 UTC.
  package func openOutcomes(at now: Int64) -> [Outcome] {
    [.deferred, .notAttempted] + (resendsUnknown(at: now) ? [.unknown] : [])
  }
}

/// The number of a run in the history, from 1. Numbers are never reused.
public struct RunNumber: RawRepresentable, Sendable, Hashable, Comparable,
  CustomStringConvertible
{
  /// The number.
  public let rawValue: Int64

  /// The number of the first run.
  package static let first = RunNumber(1)

  private init(_ number: Int64) { rawValue = number }

  /// Creates a run number; nil unless it is 1 to 8,388,607, the most that a history can hold.
  public init?(rawValue: Int64) {
    guard 1..<1 << 23 ~= rawValue else { return nil }
    self.rawValue = rawValue
  }

  /// The number.
  public var description: String { String(rawValue) }

  /// Orders runs by age: an older run has a lower number.
  public static func < (left: RunNumber, right: RunNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The state of a run.
public enum RunState: String, Sendable, Hashable, CaseIterable {
  /// Being sent, or its process was killed.
  case running
  /// Stopped before its lists were read to the end.
  case interrupted
  /// Complete: its lists were read to the end, and each push has a result.
  case finished
  /// Its lists are being read into the queue, or the process doing so was killed.
  case enqueuing
  /// All its pushes are in the queue, for workers to send.
  case enqueued

  /// Only workers send its pushes.
  public var isInQueue: Bool { self == .enqueuing || self == .enqueued }
}

/// The command that created a run. An open set: newer versions of this tool may add others.
public struct RunKind: RawRepresentable, Sendable, Hashable {
  /// The name in the history.
  public let rawValue: String

  /// Creates a kind from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `fanfare send`.
  public static let send = RunKind(rawValue: "send")
  /// A step of `fanfare run`.
  public static let scenario = RunKind(rawValue: "scenario")
  /// `fanfare history resend`.
  public static let resend = RunKind(rawValue: "resend")
}

/// The source of a run's apns-ids: a given id, or random bits shared by all its pushes.
public struct RunIdentity: Sendable, Hashable {
  /// The `apns-id` given for the only push; nil when each push has its own.
  public let given: APNSID?

  /// The random bits in the run's own `apns-id`s.
  public let bits: APNSID.RunBits

  /// Restores the identity of an existing run.
  public init(given: APNSID?, bits: APNSID.RunBits) {
    self.given = given
    self.bits = bits
  }

  /// The `apns-id` of a push, the same on every resend.
  public func apnsID(of push: Push) -> APNSID { apnsID(ofSequence: push.sequence) }

  /// The `apns-id` of the push with this number in its run.
  public func apnsID(ofSequence sequence: UInt64) -> APNSID {
    given ?? APNSID(bits, sequence: sequence)
  }
}
