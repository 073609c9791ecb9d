import Fanfare
import Foundation

typealias APNSNotification = Fanfare.Notification

func inAFileWithFoundation() throws -> APNSNotification {
  try APNSNotification(.background, bundleID: "com.example.shop")
}
