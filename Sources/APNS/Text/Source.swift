/// The pages that the tables cite, by title.
enum Source {
  static let sending = "Apple: Sending notification requests to APNs"
  static let responses = "Apple: Handling notification responses from APNs"
  static let broadcastErrors = "Apple: Handling error responses from APNs"
  static let token = "Apple: Establishing a token-based connection to APNs"
  static let payload = "Apple: Generating a remote notification"
  /// Where the phone's own parser tells more than the page.
  static let parser = "\(payload); iOS 26.1 (the phone's own parser)"
  static let summary = "Apple: UNNotificationContent.summaryArgument (iOS 12 to 14)"
  static let background = "Apple: Pushing background updates to your App"
  static let broadcast = "Apple: Sending broadcast push notification requests to APNs"
  static let channels = "Apple: Sending channel management requests to APNs"
  static let liveActivity =
    "Apple: Starting and updating Live Activities with ActivityKit push notifications"
  static let widgets = "Apple: Updating widgets with WidgetKit push notifications"
  static let controls = "Apple: Updating controls locally and remotely"
  static let location = "Apple: Creating a location push service extension"
  static let mdm = "Apple: Sending MDM commands to a device"
  static let fileProvider = "Apple: NSFileProviderManager (SDK header)"
  static let safari = "Apple: Configuring Safari Push Notifications (archived)"
  static let field = "Seen in the field; not documented by Apple"
  static let callKit = "Apple: Responding to VoIP Notifications from PushKit"
  static let pushToTalk =
    "Apple DTS: forums 787878; PushToTalk's SDK header (10 has a budget of six an hour)"
  static let wallet =
    "Apple: Adding a Web Service to Update Passes; Register a device for update notifications"
  static let sounds = "Apple: UNNotificationSound"
  static let simulator = "Apple: Xcode 11.4 release notes, and the help of simctl push"
  static let json = "RFC 8259"
  static let template = "fanfare: docs/formats.md, Templates"
  static let http2Fields = "RFC 9113, section 8.2"
  static let http2Pseudo = "RFC 9113, section 8.3"
}

extension Source {
  /// The frameworks whose documentation has a page; User Notifications has the others.
  fileprivate static let frameworks = [
    liveActivity: "activitykit", widgets: "widgetkit", controls: "widgetkit",
    location: "corelocation", mdm: "devicemanagement", callKit: "pushkit",
  ]

  /// What is Apple's, but no page of the documentation.
  fileprivate static let others: Set = [fileProvider, safari, simulator]
}

/// The address of a page that a table cites.
///
/// - Parameter source: the page as the table names it.
/// - Returns: nil for anything but a page of Apple's documentation.
package func address(ofSource source: String) -> String? {
  guard source.hasPrefix("Apple: "), !Source.others.contains(source) else { return nil }
  let words = source.dropFirst("Apple: ".count).lowercased()
    .split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
  let framework = Source.frameworks[source] ?? "usernotifications"
  return "https://developer.apple.com/documentation/\(framework)/\(words.joined(separator: "-"))"
}
