import APNS
import RuleSamples

@testable import PushEmulator

extension RuleSample {
  /// The emulator's refusal of the sample; nil if it takes it.
  var refusal: APNSRefusal? {
    var request = RequestSample()
    request.fields = fields
    if target != .device { request.path = draft.path }
    request.body = body
    return request.refusal(authentication ?? .token, channels)
  }

  /// The emulator's answer: `200`, or `400 BadPriority`.
  var answer: String { Self.text(of: refusal) }

  fileprivate static func text(of refusal: APNSRefusal?) -> String {
    refusal.map { "\($0.status.rawValue) \($0.reason.rawValue)" } ?? "200"
  }

  /// The channel that the sample goes to, which stores what the sample says.
  private var channels: ChannelRegistry {
    let registry = ChannelRegistry(limit: 1)
    let draft = draft
    if let id = draft.channel.flatMap({ try? ChannelID($0) }),
      let app = draft.app.flatMap({ try? BundleID($0.value) })
    {
      let storesNothing = context.channelStorage == .known(.nothing)
      registry.replace(by: [
        Channel(id: id, app: app, policy: storesNothing ? .nothing : .latest, created: 0)
      ])
    }
    return registry
  }
}

extension RequestSample {
  /// The emulator's refusal of the request; nil if it takes it.
  func refusal(
    _ authentication: Authentication = .token,
    _ channels: ChannelRegistry = ChannelRegistry(limit: 1)
  ) -> APNSRefusal? {
    var check = RequestCheck(authentication: authentication, channels: channels)
    return check.inspect(request).fault?.refusal
  }

  /// The emulator's answer: `200`, or `404 BadPath`.
  func answer() -> String { RuleSample.text(of: refusal()) }
}
