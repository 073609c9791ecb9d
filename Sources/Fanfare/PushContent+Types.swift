internal import APNS
internal import JSONText

// A content for each push type but alerts and Live Activities. What the app needs is added with
// adding(_:).
extension PushContent {
  /// Wakes the app without telling the user.
  public static let background = PushContent(.background, ["aps": ["content-available": 1]])

  /// Announces a call; the app's own values say which.
  public static let voip = PushContent(.voip, [:])

  /// Updates a complication on the watch.
  public static let complication = PushContent(.complication, [:])

  /// Asks the location extension where the device is.
  public static let location = PushContent(.location, ["aps": [:]])

  /// Tells a Push to Talk app who speaks, or who has left.
  public static let pushToTalk = PushContent(.pushtotalk, ["aps": [:]])

  /// Has the controls of the app loaded again.
  public static let controls = PushContent(.controls, ["aps": ["content-changed": true]])

  /// Has the widgets of the app loaded again.
  public static let widgets = PushContent(.widgets, ["aps": ["content-changed": true]])

  /// Tells a File Provider extension that something has changed.
  ///
  /// - Parameters:
  ///   - container: the identifier of the container, such as
  ///     `NSFileProviderWorkingSetContainerItemIdentifier`.
  ///   - domain: the identifier of the domain; nil for none.
  public static func fileProvider(container: String, domain: String? = nil) -> PushContent {
    var payload = JSONObject()
    payload.add("container-identifier", container)
    payload.add("domain", domain)
    return PushContent(.fileprovider, JSON(.object(payload)))
  }

  /// Has a managed device ask its server for commands.
  ///
  /// - Parameter pushMagic: the `PushMagic` that the device sent when it enrolled.
  public static func mdm(pushMagic: String) -> PushContent {
    PushContent(.mdm, ["mdm": "\(pushMagic)"])
  }
}
