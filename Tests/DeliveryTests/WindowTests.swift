import APNS
import Testing

@testable import Delivery

@Suite("The window")
struct WindowTests {
  private let accepted = Response(status: .accepted)
  private let forbidden = Response(status: .forbidden)

  @Test(
    "One request is open until an answer comes that not every push would meet",
    arguments: [
      Response(status: .accepted), Response(status: .gone), Response(status: .unavailable),
      Response(status: .badRequest, reason: .badDeviceToken),
    ])
  func opening(_ response: Response) {
    var window = Window()
    window.settings(1000)
    #expect(window.room(open: 0) == 1)
    #expect(window.room(open: 1) == 0)
    window.answered(forbidden)
    window.answered(Response(status: .badRequest, reason: .badTopic))
    window.answered(Response(status: .forbidden, reason: .expiredProviderToken))
    #expect(window.room(open: 0) == 1)
    #expect(!window.isProven)
    window.answered(response)
    #expect(window.isProven)
    #expect(window.room(open: 0) == 1000)
    window.answered(forbidden)
    #expect(window.room(open: 0) == 1000)
  }

  @Test("The peer's limit counts, up to a thousand, and a hundred until it names one")
  func limits() {
    var window = Window()
    window.answered(accepted)
    #expect(window.room(open: 30) == 70)
    for (limit, room) in [(1000, 1000), (1, 1), (0, 0), (5, 5), (Int(UInt32.max), 1000)] {
      window.settings(limit)
      #expect(window.room(open: 0) == room)
    }
  }

  @Test("A limit below what is open leaves no room, and a limit of zero none for the first")
  func lowered() {
    var window = Window()
    window.settings(0)
    #expect(window.room(open: 0) == 0)
    window.settings(10)
    window.answered(accepted)
    window.settings(3)
    #expect(window.room(open: 10) == 0)
    #expect(window.room(open: 2) == 1)
  }

  @Test(
    "More requests go out before the first answer only where the peer has room for them, up to four"
  )
  func probes() {
    for (limit, most) in [(nil, 1), (0, 0), (1, 1), (3, 3), (1000, 4)] as [(Int?, Int)] {
      var window = Window()
      window.settings(limit)
      for _ in 1...9 { window.addProbe() }
      #expect(window.room(open: 0) == most && !window.isProven)
      window.beginRun(limit: 1000)
      #expect(window.room(open: 0) == min(most, 1))
    }
  }

  @Test("Another run begins with one request, within what the peer announced and both want at most")
  func anotherRun() {
    var window = Window(limit: 500)
    window.settings(700)
    for (limit, room) in [(1000, 500), (250, 250), (1000, 250)] {
      window.answered(accepted)
      window.beginRun(limit: limit)
      #expect(window.room(open: 0) == 1 && !window.isProven)
      window.answered(accepted)
      #expect(window.room(open: 0) == room)
    }
    window.settings(7)
    #expect(window.room(open: 0) == 7)
  }
}
