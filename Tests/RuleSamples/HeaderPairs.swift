import APNS

extension RulePair {
  private static let good = RuleSample()
  private static let background = good.with(
    type: "background", body: #"{"aps":{"content-available":1}}"#)
  private static let end = #"{"aps":{"event":"end","timestamp":1700000000}}"#
  private static let activity = good.with(type: "liveactivity", body: end)
  private static let call = good.with(type: "voip", body: "{}")
  private static let watch = good.with(type: "complication", body: "{}")
  private static let query = good.with(type: "location", body: #"{"aps":{}}"#)
  private static let talk = good.with(type: "pushtotalk", body: #"{"aps":{}}"#)
  private static let news = good.with(
    type: "pushtotalk", body: #"{"aps":{"ptt-push-type":"service-update"}}"#)
  private static let wake = good.with(type: "mdm", body: #"{"mdm":"magic"}"#)

  static let headers = [
    RulePair(
      "header-name", broken: good.adding("a b", "c"), kept: good.adding("apns-new", "c")),
    RulePair(
      "header-characters", broken: good.adding("apns-new", "a\r\nb: c"),
      kept: good.adding("apns-new", "a b: c")),
    RulePair(
      "header-characters", broken: good.adding("apns-collapse-id", "a\tb"),
      kept: good.adding("apns-collapse-id", "Straße 7")),
    RulePair(
      "header-forbidden", broken: good.adding("authorization", "bearer x"),
      kept: good.adding("apns-authorization", "x")),
    RulePair(
      "header-twice", broken: good.adding("apns-priority", "10").adding("apns-priority", "10"),
      kept: good.adding("apns-priority", "10")),
    RulePair(
      "header-twice", broken: good.adding("apns-priority", "10").adding("apns-priority", "5"),
      kept: good.adding("apns-priority", "5")),
    RulePair(
      "header-misspelled", broken: good.adding("apns-prority", "10"),
      kept: good.adding("apns-new", "10")),
    RulePair(
      "header-misspelled", broken: good.adding("apns-collaspe-id", "order"),
      kept: good.adding("x-apns-collapse-id", "order")),
    RulePair(
      "header-misspelled", broken: good.adding("apns_collapse_id", "order"),
      kept: good.adding("apns-collapse-id", "order")),
    RulePair(
      "header-for-device", broken: good.adding("apns-channel-id", "QUJD"),
      kept: good.adding("apns-channel", "QUJD")),
    RulePair(
      "header-for-device",
      broken: good.adding("apns-unique-id", "123e4567-e89b-42d3-a456-426614174000"),
      kept: good.adding("apns-id", "123e4567-e89b-42d3-a456-426614174000")),
  ]

  static let topics = [
    RulePair("topic-missing", broken: good.without("apns-topic")),
    RulePair("topic-missing", broken: good.with("apns-topic", "")),
    RulePair("topic-form", broken: good.with("apns-topic", "<com.example.shop>")),
    RulePair("topic-form", broken: good.with("apns-topic", "com example")),
    RulePair(
      "topic-suffix-missing", broken: call.with("apns-topic", "com.example.shop"), kept: call),
    RulePair(
      "topic-suffix-missing", broken: activity.with("apns-topic", "com.example.shop"),
      kept: activity),
    RulePair(
      "topic-suffix-twice",
      broken: activity.with(
        "apns-topic", "com.example.shop.push-type.liveactivity.push-type.liveactivity"),
      kept: activity),
    RulePair(
      "topic-suffix-twice", broken: call.with("apns-topic", "com.example.voip.voip"), kept: call),
    RulePair(
      "topic-suffix-perhaps-twice",
      broken: watch.with("apns-topic", "com.example.complication.complication"), kept: watch),
    RulePair(
      "topic-of-other-type",
      broken: good.with("apns-topic", "com.example.shop.push-type.widgets"),
      kept: good.with("apns-topic", "com.example.shop.widgets")),
    RulePair(
      "topic-perhaps-of-other-type", broken: good.with("apns-topic", "com.example.shop.voip"),
      kept: good.with("apns-topic", "com.example.voip.shop")),
    RulePair(
      "topic-team-id", broken: good.with("apns-topic", "ABCDE12345.com.example.shop"),
      kept: good.with("apns-topic", "abcde12345.com.example.shop")),
    RulePair(
      "topic-team-id", broken: good.with("apns-topic", "1BCDEFGHIJ.com.example.shop"),
      kept: good.with("apns-topic", "ABCDEFGHIJ.com.example.shop")),
    RulePair(
      "topic-team-id", broken: good.with("apns-topic", "123456789A.com.example.shop"),
      kept: good.with("apns-topic", "1234567890.com.example.shop")),
    RulePair(
      "topic-team-id", broken: good.with("apns-topic", "ABCDE12345.shop"),
      kept: good.with("apns-topic", "ABCDE123456.shop")),
    RulePair(
      "topic-team-id", broken: good.with("apns-topic", "A1A1A1A1A1.shop"),
      kept: good.with("apns-topic", "A1A1A1A1A.shop")),
    RulePair(
      "topic-team-id", broken: good.with("apns-topic", "ABCDE12345"),
      kept: good.with("apns-topic", "ABCDE1234.5")),
    RulePair(
      "topic-team-id", broken: call.with("apns-topic", "ABCDE12345.voip"), kept: call),
    RulePair(
      "topic-for-mdm", broken: wake.with("apns-topic", "com.example.shop"), kept: wake),
    RulePair(
      "topic-for-mdm", broken: background.with("apns-topic", "com.apple.mgmt.External.1"),
      kept: background.with("apns-topic", "com.apple.mgmtExternal.1")),
    RulePair(
      "topic-without-dot", broken: good.with("apns-topic", "shop"),
      kept: good.with("apns-topic", "example.shop")),
    RulePair(
      "topic-without-dot", broken: call.with("apns-topic", "shop.voip"),
      kept: call.with("apns-topic", "example.shop.voip")),
  ]

  static let pushTypes = [
    RulePair("push-type-missing", broken: good.without("apns-push-type")),
    RulePair("push-type-unknown", broken: good.with("apns-push-type", "Alert")),
    RulePair("authentication-for-type", broken: query.with(.certificate), kept: query.with(.token)),
    RulePair("authentication-for-type", broken: wake.with(.token), kept: wake.with(.certificate)),
    RulePair(
      "authentication-doubtful", broken: activity.with(.certificate), kept: activity.with(.token)),
    RulePair(
      "authentication-doubtful", broken: activity.with(.certificate),
      kept: RuleSample.toChannel.with(.certificate)),
  ]

  static let fields = [
    RulePair(
      "apns-id-form", broken: good.adding("apns-id", "123e4567e89b42d3a456426614174000"),
      kept: good.adding("apns-id", "123e4567-e89b-42d3-a456-426614174000")),
    RulePair(
      "expiration-form", broken: good.adding("apns-expiration", "-1"),
      kept: good.adding("apns-expiration", "0")),
    RulePair(
      "expiration-past", broken: good.adding("apns-expiration", "1699999999"),
      kept: good.adding("apns-expiration", "1700000001")),
    RulePair(
      "expiration-past", broken: good.adding("apns-expiration", "86400"),
      kept: good.adding("apns-expiration", "0")),
    RulePair(
      "expiration-milliseconds", broken: good.adding("apns-expiration", "1700003600000"),
      kept: good.adding("apns-expiration", "1700003600")),
    RulePair(
      "expiration-far", broken: good.adding("apns-expiration", "1702592001"),
      kept: good.adding("apns-expiration", "1702592000")),
    RulePair(
      "expiration-waits", broken: call.adding("apns-expiration", "1700000031"),
      kept: call.adding("apns-expiration", "1700000030")),
    RulePair(
      "expiration-waits", broken: talk.adding("apns-expiration", "1700003600"),
      kept: talk.adding("apns-expiration", "0")),
    RulePair("priority-waits", broken: call.with("apns-priority", "5"), kept: call),
    RulePair("priority-waits", broken: talk.with("apns-priority", "1"), kept: talk),
    RulePair(
      "priority-waits", broken: talk.with("apns-priority", "5"),
      kept: news.with("apns-priority", "5")
    ),
    RulePair(
      "expiration-waits", broken: talk.adding("apns-expiration", "1700003600"),
      kept: news.with("apns-priority", "5").adding("apns-expiration", "1700003600")),
    RulePair("priority-service-update", broken: news, kept: news.with("apns-priority", "1")),
    RulePair(
      "priority-form", broken: good.adding("apns-priority", "high"),
      kept: good.adding("apns-priority", "1")),
    RulePair(
      "priority-missing", broken: background.without("apns-priority").received(),
      kept: background.received()),
    RulePair(
      "priority-for-type", broken: background.with("apns-priority", "10"), kept: background),
    RulePair(
      "priority-doubtful", broken: background.with("apns-priority", "1"), kept: background),
    RulePair("priority-doubtful", broken: activity.with("apns-priority", "1"), kept: activity),
    RulePair(
      "collapse-id-form",
      broken: good.adding("apns-collapse-id", String(repeating: "é", count: 33)),
      kept: good.adding("apns-collapse-id", String(repeating: "é", count: 32))),
    RulePair("collapse-id-form", broken: good.adding("apns-collapse-id", "")),
  ]

  static let simulators = [
    RulePair("simulator-type", broken: call.with(body: #"{"aps":{}}"#).forSimulator),
    RulePair(
      "simulator-target",
      broken: good.with(
        body: #"{"Simulator Target Bundle":"a.push-type.widgets","aps":{"badge":1}}"#
      ).forSimulator,
      kept: good.with(body: #"{"Simulator Target Bundle":"com.example.voip","aps":{"badge":1}}"#)
        .forSimulator),
  ]
}
