import APNS

extension RulePair {
  private static let good = RuleSample.toChannel
  private static let start = """
    {"aps":{"event":"start","timestamp":1700000000,"content-state":{},"attributes-type":"A",\
    "attributes":{},"alert":{"title":"A"}}}
    """

  static let channels =
    ids + bundleIDs + [
      RulePair("channel-push-type-missing", broken: good.without("apns-push-type"), kept: good),
      RulePair(
        "channel-push-type",
        broken: good.with("apns-push-type", "alert").with(body: #"{"aps":{"alert":"A"}}"#),
        kept: good.with("apns-push-type", "Liveactivity")),
      RulePair("channel-push-type", broken: good.with("apns-push-type", "live-activity")),
      RulePair(
        "channel-topic",
        broken: good.with("apns-topic", "com.example.shop.push-type.liveactivity"), kept: good),
      RulePair(
        "header-for-channel", broken: good.with("apns-collapse-id", "score"),
        kept: good.with("apns-id", "123e4567-e89b-42d3-a456-426614174000")),
      RulePair(
        "header-for-channel",
        broken: good.with("apns-unique-id", "123e4567-e89b-42d3-a456-426614174000"),
        kept: good.with("apns-request-id", "123e4567-e89b-42d3-a456-426614174000")),
      RulePair(
        "channel-expiration-missing", broken: good.without("apns-expiration"), kept: good),
      RulePair(
        "channel-storage",
        broken: good.with("apns-expiration", "1700003600").with(.known(.nothing)),
        kept: good.with("apns-expiration", "1700003600").with(.known(.latest))),
      RulePair(
        "channel-storage-unknown",
        broken: good.with("apns-expiration", "1700003600").with(.unknown),
        kept: good.with(.unknown)),
      RulePair("channel-priority-missing", broken: good.without("apns-priority"), kept: good),
      RulePair(
        "channel-start", broken: good.with(body: start),
        kept: RuleSample().with(type: "liveactivity", body: start)),
      RulePair(
        "header-twice", broken: good.adding("apns-priority", "10"),
        kept: good.with("apns-priority", "10")),
      RulePair(
        "apns-id-form", broken: good.with("apns-request-id", "42"),
        kept: RuleSample().with("x-apns-request-id", "42")),
      RulePair("apns-id-form", broken: good.with("apns-id", "42"), kept: good),
      RulePair(
        "expiration-form", broken: good.with("apns-expiration", "soon"), kept: good),
      RulePair(
        "expiration-far", broken: good.with("apns-expiration", "1700028801"),
        kept: good.with("apns-expiration", "1700028800")),
      RulePair(
        "priority-form", broken: good.with("apns-priority", "7"),
        kept: good.with("apns-priority", "1")),
    ]

  private static let ids = [
    RulePair("channel-missing", broken: good.without("apns-channel-id"), kept: good),
    RulePair("channel-missing", broken: good.with("apns-channel-id", "")),
    RulePair(
      "channel-form", broken: good.with("apns-channel-id", "QUI-"),
      kept: good.with("apns-channel-id", "QUI+")),
    RulePair(
      "channel-form", broken: good.with("apns-channel-id", "dHN0LXNyY2gtY2hubA"),
      kept: good.with("apns-channel-id", "dHN0LXNyY2gtY2hubA==")),
  ]

  private static let bundleIDs = [
    RulePair("bundle-id-missing", broken: good.with(app: nil), kept: good),
    RulePair("bundle-id-missing", broken: good.with(app: "")),
    RulePair(
      "bundle-id-form", broken: good.with(app: "com example"), kept: good.with(app: "com.example")),
    RulePair("bundle-id-form", broken: good.with(app: "a\r\nb: c")),
    RulePair(
      "bundle-id-suffix", broken: good.with(app: "com.example.shop.push-type.liveactivity"),
      kept: good.with(app: "com.example.shop.voip")),
    RulePair(
      "bundle-id-team-id", broken: good.with(app: "ABCDE12345.com.example.shop"),
      kept: good.with(app: "abcde12345.com.example.shop")),
  ]
}
