public import APNS
public import HTTP2

/// An answer assembled from parts. The default is APNs' answer to an accepted push.
public struct CustomAnswer: Sendable, Hashable {
  /// The contents of the body.
  public enum Body: Sendable, Hashable {
    /// No body: the header block ends the stream.
    case none
    /// APNs' JSON object. The timestamp is in milliseconds since 1970; nil omits it.
    case reason(Reason, timestamp: Int64? = nil)
    /// Any bytes, with their `content-type`; nil omits the header.
    case bytes([UInt8], contentType: String? = nil)
  }

  /// The value of `apns-id`.
  public enum Identifier: Sendable, Hashable {
    /// The client's own, or one the emulator made if the client sent none.
    case echoed
    /// The same in uppercase.
    case upperCase
    /// The same, in two headers.
    case twice
    /// No such header.
    case missing
    /// Some other text.
    case other(String)
  }

  /// The pace at which the body is sent.
  public enum Pace: Sendable, Hashable {
    /// In frames of the maximum size.
    case atOnce
    /// In DATA frames of at most this many bytes.
    case frames(of: Int)
    /// This many bytes at first, and again after each interval.
    case trickle(bytes: Int, milliseconds: Int)
    /// This many bytes, and then nothing more.
    case stall(after: Int)
  }

  /// An action after the answer.
  public enum Aftermath: Sendable, Hashable {
    /// Sends RST_STREAM with this code, after the whole answer.
    case reset(code: UInt32)
    /// Ends the connection after this many bytes of the answer's frames (9-byte headers included),
    /// or after the whole answer.
    case drop(Drop, afterBytes: Int = .max)
    /// Freezes, as ``EmulatorAnswer/freeze(milliseconds:then:)`` does, after the whole answer.
    case freeze(milliseconds: Int?)
  }

  /// The status. The push counts as processed if and only if it is 200.
  public var status: Status
  /// The contents of the body.
  public var body: Body
  /// The value of `apns-id`.
  public var apnsID: Identifier
  /// The header fields after the usual ones.
  public var fields: [Field]
  /// The statuses of interim responses, from 100 to 199, before the final one.
  public var interim: [Int]
  /// The fields after the body.
  public var trailers: [Field]
  /// The pace at which the body is sent.
  public var pace: Pace
  /// The action after the answer; nil for none.
  public var aftermath: Aftermath?

  /// Creates an answer.
  public init(
    status: Status = .accepted, body: Body = .none, apnsID: Identifier = .echoed,
    fields: [Field] = [], interim: [Int] = [], trailers: [Field] = [], pace: Pace = .atOnce,
    aftermath: Aftermath? = nil
  ) {
    self.status = status
    self.body = body
    self.apnsID = apnsID
    self.fields = fields
    self.interim = interim
    self.trailers = trailers
    self.pace = pace
    self.aftermath = aftermath
  }

  /// A refusal with a known reason and its status.
  public static func refusal(_ reason: Reason, timestamp: Int64? = nil) -> CustomAnswer {
    CustomAnswer(
      status: reason.info?.status ?? .badRequest, body: .reason(reason, timestamp: timestamp))
  }
}
