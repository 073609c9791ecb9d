/// The HTTP status of an answer. An open set: a proxy may return any status.
public struct Status: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The three digits as a number.
  public let rawValue: Int

  /// Creates a status.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// 200: accepted, but not necessarily delivered.
  public static let accepted = Status(rawValue: 200)
  /// 201: the channel was created.
  public static let created = Status(rawValue: 201)
  /// 204: the channel was deleted.
  public static let noContent = Status(rawValue: 204)
  /// 400: the request is faulty.
  public static let badRequest = Status(rawValue: 400)
  /// 403: the certificate or provider token is wrong.
  public static let forbidden = Status(rawValue: 403)
  /// The answer to every push while APNs refuses the key or certificate: says nothing of the push.
  package static let ofRefusedCredentials = forbidden
  /// 404: the path is wrong.
  public static let notFound = Status(rawValue: 404)
  /// 405: the method is not POST.
  public static let methodNotAllowed = Status(rawValue: 405)
  /// 410: the device token is no longer active.
  public static let gone = Status(rawValue: 410)
  /// 413: the payload is too long.
  public static let tooLarge = Status(rawValue: 413)
  /// 429: too many requests.
  public static let tooMany = Status(rawValue: 429)
  /// 500: an error inside APNs.
  public static let serverError = Status(rawValue: 500)
  /// 503: the server is shutting down or overloaded.
  public static let unavailable = Status(rawValue: 503)

  /// The number.
  public var description: String { String(rawValue) }
}

/// The meaning of a status: a row of ``Status/table``.
public struct StatusInfo: Sendable, Hashable {
  /// The status.
  public let status: Status
  /// The meaning, in one line.
  public let meaning: String
}

extension Status {
  /// The statuses with which APNs answers a device push (Apple: Handling notification responses).
  package static let table: [StatusInfo] = [
    StatusInfo(
      status: .accepted,
      meaning: "APNs accepted the push, which does not mean that it was delivered."),
    StatusInfo(status: .badRequest, meaning: "Something in the request is wrong."),
    StatusInfo(status: .forbidden, meaning: "The certificate or provider token is wrong."),
    StatusInfo(status: .notFound, meaning: "The request path is wrong."),
    StatusInfo(status: .methodNotAllowed, meaning: "The request method is wrong for the path."),
    StatusInfo(
      status: .gone, meaning: "The device token is no longer active for the topic."),
    StatusInfo(status: .tooLarge, meaning: "The payload is too long."),
    StatusInfo(status: .tooMany, meaning: "Too many requests for one device token."),
    StatusInfo(status: .serverError, meaning: "An internal error occurred in APNs."),
    StatusInfo(status: .unavailable, meaning: "The server is shutting down or unavailable."),
  ]

  /// The status's row in ``table``; nil if APNs does not use it.
  package var info: StatusInfo? { Self.table.first { $0.status == self } }
}
