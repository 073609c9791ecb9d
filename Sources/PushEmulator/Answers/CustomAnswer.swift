public import APNS
public import HTTP2

/// An answer made of parts. The default is what APNs answers to an accepted push.
public struct CustomAnswer: Sendable, Hashable {
  /// What the body holds.
  public enum Body: Sendable, Hashable {
    /// Nothing: the header block ends the stream.
    case none
    /// APNs' JSON object. The timestamp is in milliseconds since 1970; nil leaves it out.
    case reason(Reason, timestamp: Int64? = nil)
    /// Any bytes, and what `content-type` calls them; nil leaves that out.
    case bytes([UInt8], contentType: String? = nil)
  }

  /// What stands in `apns-id`.
  public enum Identifier: Sendable, Hashable {
    /// The client's own; or one that the emulator made, when the client sent none.
    case echoed
    /// The same in upper case.
    case upperCase
    /// The same, and then once more.
    case twice
    /// Nothing: there is no such header.
    case missing
    /// Something else.
    case other(String)
  }

  /// How the body goes out.
  public enum Pace: Sendable, Hashable {
    /// In frames that are as large as they may be.
    case atOnce
    /// In DATA frames of at most so many bytes.
    case frames(of: Int)
    /// So many bytes at once, and as many again each time so many milliseconds have passed.
    case trickle(bytes: Int, milliseconds: Int)
    /// So many bytes, and then nothing more.
    case stall(after: Int)
  }

  /// What comes after the answer.
  public enum Aftermath: Sendable, Hashable {
    /// RST_STREAM with this code, once the whole answer is sent.
    case reset(code: UInt32)
    /// The end of the connection, when so many bytes of the answer's frames (their headers of 9
    /// bytes included) are sent, or the whole answer.
    case drop(Drop, afterBytes: Int = .max)
    /// As in ``EmulatorAnswer/freeze(milliseconds:then:)``, once the whole answer is sent.
    case freeze(milliseconds: Int?)
  }

  /// The status. The push counts as processed exactly when it is 200.
  public var status: Status
  /// What the body holds.
  public var body: Body
  /// What stands in `apns-id`.
  public var apnsID: Identifier
  /// Header fields behind the usual ones.
  public var fields: [Field]
  /// The statuses of interim answers, from 100 to 199, before the final one.
  public var interim: [Int]
  /// Fields after the body.
  public var trailers: [Field]
  /// How the body goes out.
  public var pace: Pace
  /// What comes after the answer; nil for nothing.
  public var aftermath: Aftermath?

  /// An answer made of parts.
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

  /// A refusal with a known reason and the status that belongs to it.
  public static func refusal(_ reason: Reason, timestamp: Int64? = nil) -> CustomAnswer {
    CustomAnswer(
      status: reason.info?.status ?? .badRequest, body: .reason(reason, timestamp: timestamp))
  }
}
