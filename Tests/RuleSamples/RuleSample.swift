public import APNS
public import JSONText

/// A notification as it would be written, and the way it would be sent.
public struct RuleSample: Sendable {
  /// Where it goes.
  public var target = DraftTarget.device
  /// What is known of what its channel stores.
  public var storage = ChannelStorage.notLookedUp
  /// The headers.
  public var fields = [("apns-topic", "com.example.shop"), ("apns-push-type", "alert")]
  /// The payload's bytes.
  public var body = Array(#"{"aps":{"alert":"Your order is on its way."}}"#.utf8)
  /// How its sender signs in; nil when it does not matter.
  public var authentication: Authentication?
  /// Who is to receive it.
  public var audience = RuleContext.Audience.device
  /// Whether it was received, so that nothing is filled in any more.
  public var isReceived = false
  /// What its placeholders are filled with; nil leaves them as text.
  public var variables: [String: JSON]?

  /// The present for every sample, in seconds since 1970.
  public static let now: Int64 = 1_700_000_000

  /// A sample that breaks no rule.
  public init() {}

  /// The sample as rules look at it.
  public var draft: Draft {
    let payload = body.isEmpty ? nil : DraftPayload(reading: body, file: "order.json")
    return Draft(
      fields: fields.map { DraftField($0.0, $0.1) }, payload: payload, target: target)
  }

  /// What the rules have to know beside the draft.
  public var context: RuleContext {
    var context = RuleContext(now: Self.now, authentication: authentication, audience: audience)
    context.isReceived = isReceived
    context.channelStorage = storage
    return context
  }

  /// Everything that is wrong with it.
  public var problems: [Problem] {
    do throws(BrokenRules) {
      return RuleTable.problems(in: try filled, context)
    } catch {
      return error.problems
    }
  }

  private var filled: Draft {
    get throws(BrokenRules) {
      guard let variables else { return draft }
      return try Template(draft, variables: variables, in: context)?.filled() ?? draft
    }
  }
}

extension RuleSample {
  /// A push to a channel that breaks no rule.
  public static var toChannel: RuleSample {
    var sample = RuleSample()
    sample.fields = [
      ("apns-channel-id", "dHN0LXNyY2gtY2hubA=="), ("apns-push-type", "liveactivity"),
      ("apns-priority", "10"), ("apns-expiration", "0"),
    ]
    sample.body = Array(#"{"aps":{"event":"end","timestamp":1700000000}}"#.utf8)
    return sample.with(app: "com.example.shop")
  }

  /// The sample, sent to a channel of this app; nil leaves the app out.
  public func with(app: String?) -> RuleSample {
    var sample = self
    sample.target = .channel(app: app.map { DraftField(Draft.appField, $0) })
    return sample
  }

  /// The sample, sent to a channel of which this is known.
  public func with(_ storage: ChannelStorage) -> RuleSample {
    var sample = self
    sample.storage = storage
    return sample
  }

  /// The sample with one more header.
  public func adding(_ name: String, _ value: String) -> RuleSample {
    var sample = self
    sample.fields.append((name, value))
    return sample
  }

  /// The sample with a header's value changed.
  public func with(_ name: String, _ value: String) -> RuleSample {
    var sample = self
    sample.fields.removeAll { $0.0 == name }
    return sample.adding(name, value)
  }

  /// The sample without a header.
  public func without(_ name: String) -> RuleSample {
    var sample = self
    sample.fields.removeAll { $0.0 == name }
    return sample
  }

  /// The sample with another payload.
  public func with(body: String) -> RuleSample { with(bytes: Array(body.utf8)) }

  /// The sample with a payload that need not be text.
  public func with(bytes: [UInt8]) -> RuleSample {
    var sample = self
    sample.body = bytes
    return sample
  }

  /// The sample with a push type, a topic, priority and credentials for it, and a payload.
  public func with(type: String, body: String) -> RuleSample {
    let info = PushType(rawValue: type)?.info
    let app = type == "mdm" ? "com.apple.mgmt.External.1" : "com.example.shop"
    var sample = with("apns-push-type", type).with("apns-topic", app + (info?.suffix ?? ""))
      .with("apns-priority", info?.defaultPriority.description ?? "10").with(body: body)
    sample.authentication = info?.authentication == [.certificate] ? .certificate : .token
    return sample
  }

  /// The sample as a request that was received.
  func received() -> RuleSample {
    var sample = self
    sample.isReceived = true
    return sample
  }

  /// The sample with its placeholders filled.
  func filled(_ variables: [String: JSON] = [:]) -> RuleSample {
    var sample = self
    sample.variables = variables
    return sample
  }

  /// The sample for a simulator.
  var forSimulator: RuleSample {
    var sample = self
    sample.audience = .simulator
    return sample
  }

  /// The sample, sent by somebody who signs in this way.
  public func with(_ authentication: Authentication) -> RuleSample {
    var sample = self
    sample.authentication = authentication
    return sample
  }
}
