import APNS
import PushModel
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Single pushes that travel together")
struct ParcelTests {
  private static let id = "8b6a3a4e-0d4f-4a6e-9a39-8c4fa1e0b7d2"

  @Test("Pushes with the same headers do, unless one of them has an apns-id of its own")
  func headers() throws {
    let usual = try single()
    for (other, fits) in [
      (usual, true), (try single(), true), (try single(body: "Sold out"), true),
      (try single(collapseID: "order"), false), (try single(id: Self.id), false),
      (try broadcast("com.example.shop"), false),
    ] {
      #expect(Parcel(usual).takes(other) == fits)
      #expect(Parcel(other).takes(usual) == fits)
    }
    let own = try single(id: Self.id)
    #expect(!Parcel(own).takes(own))
  }

  @Test("Pushes to channels of two apps do not, though the channels have the same ID")
  func apps() throws {
    let parcel = Parcel(try broadcast("com.example.shop"))
    #expect(parcel.takes(try broadcast("com.example.shop")))
    #expect(!parcel.takes(try broadcast("com.example.other")))
  }

  @Test("A chunk has room for 256 of them")
  func room() throws {
    let push = try single()
    var parcel = Parcel(push)
    while parcel.count < 255 { parcel.add(push) }
    #expect(parcel.takes(push))
    parcel.add(push)
    #expect(!parcel.takes(push))
  }

  private func single(
    body: String = "Ready", collapseID: String? = nil, id: String? = nil
  ) throws -> SinglePush {
    try push(
      PushNotification(
        .alert(body: body), bundleID: "com.example.shop", collapseID: collapseID, id: id),
      device(1))
  }

  private func broadcast(_ app: String) throws -> SinglePush {
    let channel = try ChannelID("dHN0LXNyY2gtY2hubA==")
    return try push(PushNotification(.score, channel: channel, bundleID: app), nil)
  }

  private func push(_ notification: PushNotification, _ token: DeviceToken?) throws -> SinglePush {
    let client = PushClient(
      credentials: .init(push: try TestRun.newKey()),
      environment: try .server("https://127.0.0.1:1"))
    return SinglePush(
      Ticket(token, client.dispatcher), notification, notification.message(isList: false))
  }
}
