public import APNS
public import JSONText
internal import PushEmulator

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LocalAPNs {
  /// A push that the server received, and the answer it gave.
  public struct Push: Sendable, Hashable {
    /// The sender's credentials.
    public enum Sender: Sendable, Hashable {
      /// A provider token, with the key ID and the team ID in it.
      case token(keyID: String, teamID: String)
      /// A client certificate, with its common name.
      case certificate(String)
    }

    private let push: PushEmulator.ReceivedPush

    init(_ push: PushEmulator.ReceivedPush) { self.push = push }
  }

  /// The pushes received, in the order of their arrival. They are here before their answers go out.
  /// Requests to manage channels, and streams that HTTP/2 refused, are not among them.
  public var received: [Push] { inbox.page(limit: .max).pushes.filter(\.isPush).map(Push.init) }
}

// The request.
extension LocalAPNs.Push {
  /// The device token; nil for a push to a channel, or when it is none.
  public var token: DeviceToken? { push.token.flatMap { try? DeviceToken($0) } }

  /// The broadcast channel; nil for a push to a device.
  public var channel: ChannelID? { push.channel.flatMap { try? ChannelID($0) } }

  /// The topic, or the only one of the certificate; nil when there is none.
  public var topic: String? { push.topic }

  /// The push type, which APNs infers when no header names it.
  public var pushType: PushType? { push.pushType.flatMap(PushType.init(rawValue:)) }

  /// The priority; nil without the header.
  public var priority: Priority? { self["apns-priority"].flatMap { Priority($0) } }

  /// The expiration; nil without the header.
  public var expiration: Expiration? {
    self["apns-expiration"].flatMap { try? Expiration(wire: $0) }
  }

  /// The collapse ID; nil without the header.
  public var collapseID: String? { self["apns-collapse-id"] }

  /// The `apns-id`, of the client or made by the server; nil for a push to a channel.
  public var apnsID: String? { push.apnsID }

  /// The value of a header that begins with `apns-`, as received; nil without it.
  public subscript(header: String) -> String? {
    push.request.fields.first { $0.name == header }?.value
  }

  /// The payload; nil when it is not JSON.
  public var payload: JSON? { DraftPayload(reading: bytes).json }

  /// The bytes of the payload, at most 8,192 of them.
  public var bytes: [UInt8] { push.request.body }

  /// The credentials; nil when there were none.
  public var sender: Sender? {
    if let name = push.certificate { return .certificate(name) }
    guard let token = push.request.authorization, let keyID = token.keyID, let teamID = token.teamID
    else { return nil }
    return .token(keyID: keyID, teamID: teamID)
  }
}

// The answer.
extension LocalAPNs.Push {
  /// The status of the answer; nil when it got none.
  public var status: Status? { push.status.map(Status.init(rawValue:)) }

  /// The reason for the refusal; nil when it was accepted or not answered.
  public var reason: Reason? { push.reason }

  /// It counts as delivered: it was answered with 200, or a fault says so.
  public var isDelivered: Bool { push.processed }

  /// The cause of a refusal and its fix, in a sentence each; nil when there is none.
  public var explanation: String? { push.plainExplanation.map { "\($0.cause) \($0.fix)" } }

  /// The time of arrival, by the system's clock.
  public var time: Date { Date(timeIntervalSince1970: push.time) }

  /// The number of the connection, from 1.
  public var connection: Int { push.connection }
}

extension LocalAPNs {
  /// A provider token, as far as it can be told without its signature.
  public struct ProviderToken: Sendable, Hashable {
    /// The key ID.
    public let keyID: String
    /// The team ID.
    public let teamID: String
    /// The time at which the sender issued it, by its own clock.
    public let issuedAt: Date
  }

  /// The provider tokens of the pushes received, each once, in the order of their first use.
  public var providerTokens: [ProviderToken] {
    received.compactMap(\.providerToken).reduce(into: []) { tokens, token in
      if !tokens.contains(token) { tokens.append(token) }
    }
  }
}

extension LocalAPNs.Push {
  /// The provider token; nil when there was no readable one.
  public var providerToken: LocalAPNs.ProviderToken? {
    guard let token = push.request.authorization, let keyID = token.keyID,
      let teamID = token.teamID, let issuedAt = token.issuedAt
    else { return nil }
    return LocalAPNs.ProviderToken(
      keyID: keyID, teamID: teamID, issuedAt: Date(timeIntervalSince1970: Double(issuedAt)))
  }
}

extension LocalAPNs.Push: CustomStringConvertible {
  /// The end of the device token, the push type and the answer.
  public var description: String {
    let target = token?.description ?? channel?.text ?? "no device token"
    let answer = [status?.description, reason?.rawValue].compactMap(\.self)
    return "\(target) \(push.pushType ?? ""): "
      + (answer.isEmpty ? "no answer" : answer.joined(separator: " "))
  }
}

extension ReceivedPush {
  /// It is a push, and reached the server's rules.
  var isPush: Bool { request.kind != .channel && !isRefusedByHTTP2 }
}
