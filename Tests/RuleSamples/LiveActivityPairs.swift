extension RulePair {
  private static func activity(_ rule: String, broken: String, kept: String) -> RulePair {
    RulePair(
      rule, type: "liveactivity", broken: "{\"aps\":{\(broken)}}", kept: "{\"aps\":{\(kept)}}")
  }

  private static let start = """
    "event":"start","timestamp":1700000000,"content-state":{},"attributes-type":"A",\
    "attributes":{},"alert":{"title":"A"}
    """
  private static let update = #""event":"update","timestamp":1700000000,"content-state":{}"#
  private static let end = #""event":"end","timestamp":1700000000"#

  static let liveActivities = [
    activity("activity-event", broken: #""timestamp":1700000000"#, kept: end),
    activity("activity-needs", broken: #""event":"end""#, kept: end),
    activity(
      "activity-needs", broken: #""event":"update","timestamp":1700000000"#, kept: update),
    activity(
      "activity-needs", broken: start.replacing(#","alert":{"title":"A"}"#, with: ""), kept: start),
    activity(
      "activity-needs",
      broken: start.replacing(#""attributes-type":"A""#, with: #""attributes-type":"""#),
      kept: start),
    activity(
      "activity-type-name",
      broken: start.replacing(#""attributes-type":"A""#, with: #""attributes-type":"Shop.Ride""#),
      kept: start.replacing(#""attributes-type":"A""#, with: #""attributes-type":"Ride_2""#)),
    activity(
      "activity-alert", broken: update + #","alert":"A""#, kept: update + #","alert":{"body":"A"}"#),
    activity("activity-content-available", broken: end + #","content-available":1"#, kept: end),
    activity(
      "activity-timestamp", broken: update.replacing("1700000000", with: "1699996399"),
      kept: update.replacing("1700000000", with: "1699996400")),
    activity(
      "activity-timestamp", broken: update.replacing("1700000000", with: "1700003601"),
      kept: update.replacing("1700000000", with: "1700003600")),
    activity(
      "activity-timestamp", broken: update.replacing("1700000000", with: "1600000000"),
      kept: #""event":"end","timestamp":1600000000"#),
    activity(
      "alert-blank", broken: update + #","alert":{"title":{"loc-key":""},"body":"A"}"#,
      kept: update + #","alert":{"title":{"loc-key":"A"},"body":"A"}"#),
    activity(
      "activity-inputs",
      broken: start + #","input-push-token":1,"input-push-channel":"QUJD""#,
      kept: start + #","input-push-channel":"QUJD""#),
    activity(
      "key-for-event", broken: update + #","attributes":{}"#, kept: start),
    activity(
      "key-for-event", broken: update + #","input-push-token":1"#,
      kept: start + #","input-push-token":1"#),
    activity(
      "key-for-event", broken: update + #","dismissal-date":1700000000"#,
      kept: end + #","dismissal-date":1700000000"#),
    activity(
      "activity-sound", broken: update + #","alert":{"title":"A"},"sound":"default""#,
      kept: update + #","alert":{"title":"A","sound":"default"}"#),
    activity(
      "activity-stale-date", broken: update + #","stale-date":1700000000"#,
      kept: update + #","stale-date":1700000001"#),
    activity(
      "activity-dismissal-date", broken: end + #","dismissal-date":1700014401"#,
      kept: end + #","dismissal-date":1700014400"#),
    activity(
      "key-milliseconds", broken: update + #","stale-date":1700003600000"#,
      kept: update + #","stale-date":1700003600"#),
    activity(
      "key-epoch", broken: update + #","stale-date":3600"#, kept: end + #","dismissal-date":0"#),
    activity(
      "key-epoch", broken: end + #","dismissal-date":721692800"#,
      kept: end + #","dismissal-date":1600000000"#),
    activity(
      "key-range", broken: end + #","dismissal-date":-1"#,
      kept: update + #","relevance-score":100"#),
    activity(
      "key-channel", broken: start + #","input-push-channel":"a channel""#,
      kept: start + #","input-push-channel":"QUI=""#),
    activity(
      "key-channel", broken: start + #","input-push-channel":"QUI-""#,
      kept: start + #","input-push-channel":"QUI+""#),
    RulePair(
      "key-for-event",
      broken: RuleSample.toChannel.with(body: "{\"aps\":{\(end),\"input-push-channel\":\"QUJD\"}}"),
      kept: RuleSample.toChannel.with(body: "{\"aps\":{\(update)}}")),
    activity(
      "key-word", broken: #""event":"stop","timestamp":1700000000"#, kept: end),
    activity(
      "key-kind", broken: start.replacing(#""attributes":{}"#, with: #""attributes":[]"#),
      kept: start.replacing(#""attributes":{}"#, with: #""attributes":{"a":[]}"#)),
    activity(
      "key-unknown", broken: update + #","alert":{"title":{"loc-kye":"A"}}"#,
      kept: update + #","alert":{"title":{"loc-key":"A"}}"#),
  ]
}
