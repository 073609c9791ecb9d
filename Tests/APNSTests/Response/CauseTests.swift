import Testing

@testable import APNS

@Suite("Causes of reasons")
struct CauseTests {
  @Test("Only reasons of the table have causes of their own, and each has several")
  func known() {
    for (reason, causes) in Reason.causeTable {
      #expect(reason.info != nil, "\(reason)")
      #expect(causes.count > 1, "\(reason)")
    }
  }

  @Test("A reason without causes of its own has its meaning and its advice")
  func single() throws {
    let info = try #require(Reason.badCollapseID.info)
    #expect(Reason.badCollapseID.causes == [Cause(info.meaning, fix: info.advice)])
    #expect(try #require(Reason(rawValue: "NewerThanThis")).causes.isEmpty)
  }

  @Test("Every cause and every fix is a sentence")
  func sentences() {
    for cause in Reason.causeTable.values.flatMap(\.self) {
      for text in [cause.text, cause.fix] {
        #expect(text.first?.isUppercase == true && text.hasSuffix("."), "\(text)")
      }
    }
  }

  @Test(
    "What a request shows decides what stands first",
    arguments: [
      (Reason.badDeviceToken, RequestFacts(service: .production), "development build"),
      (.badDeviceToken, RequestFacts(service: .sandbox), "TestFlight"),
      (.badDeviceToken, RequestFacts(service: .other, tokenDigits: 160), "simulator"),
      (.badDeviceToken, RequestFacts(service: .other, pushType: .voip), "another kind of push"),
      (.badDeviceToken, RequestFacts(service: .other), "another environment"),
      (.badDeviceToken, RequestFacts(service: .both), "altered"),
      (.badDeviceToken, RequestFacts(service: .production, tokenDigits: 62), "cut off"),
      (.badDeviceToken, RequestFacts(service: .sandbox, tokenDigits: 0), "TestFlight"),
      (
        .deviceTokenNotForTopic,
        RequestFacts(service: .sandbox, pushType: .voip, topic: "com.example.app"), "suffix"
      ),
      (
        .deviceTokenNotForTopic,
        RequestFacts(service: .sandbox, pushType: .alert, topic: "com.example.app"), "another app"
      ),
      (.missingProviderToken, RequestFacts(service: .other), "by curl"),
      (.missingProviderToken, RequestFacts(service: .other, providerTokenAge: 1), "A proxy"),
      (.expiredProviderToken, RequestFacts(service: .sandbox, providerTokenAge: 1), "clock"),
      (
        .invalidProviderToken,
        RequestFacts(service: .sandbox, clocks: Clocks(here: 5401, server: 0)), "clock is ahead"
      ),
      (
        .invalidProviderToken,
        RequestFacts(service: .sandbox, clocks: Clocks(here: 301, server: 0)), "clock is ahead"
      ),
      (
        .invalidProviderToken,
        RequestFacts(service: .sandbox, clocks: Clocks(here: 300, server: 0)), "swapped"
      ),
      (
        .invalidProviderToken,
        RequestFacts(service: .sandbox, clocks: Clocks(here: 0, server: 5400)), "swapped"
      ),
      (
        .invalidProviderToken,
        RequestFacts(service: .sandbox, clocks: Clocks(here: 5400, server: nil)), "swapped"
      ),
      (.expiredProviderToken, RequestFacts(service: .sandbox, providerTokenAge: 3599), "clock"),
      (.expiredProviderToken, RequestFacts(service: .sandbox, providerTokenAge: 4000), "an hour"),
      (.badEnvironmentKey, RequestFacts(service: .sandbox), "limited to production"),
      (.topicDisallowed, RequestFacts(service: .sandbox, isBroadcast: true), "in the path"),
      (
        .topicDisallowed,
        RequestFacts(
          service: .other, isBroadcast: true, pushType: .liveactivity, topic: "com.example.app"),
        "in the path"
      ),
      (.topicDisallowed, RequestFacts(service: .sandbox), "different team"),
      (.badExpirationDate, RequestFacts(service: .other, isBroadcast: true), "stores nothing"),
      (.badExpirationDate, RequestFacts(service: .other), "not a time"),
      (.channelNotRegistered, RequestFacts(service: .production), "in the sandbox"),
      (.channelNotRegistered, RequestFacts(service: .other), "deleted"),
      (.tooManyRequests, RequestFacts(service: .sandbox, isBroadcast: true), "this channel"),
      (.tooManyRequests, RequestFacts(service: .sandbox), "this device"),
      (.invalidPushType, RequestFacts(service: .sandbox, isBroadcast: true), "liveactivity"),
    ])
  func ranking(reason: Reason, facts: RequestFacts, words: String) throws {
    let ranked = reason.causes(of: facts)
    #expect(try #require(ranked.first).text.contains(words))
    #expect(Set(ranked) == Set(reason.causes))
  }

  @Test("A whole device token is in another environment rather than altered, everywhere")
  func environmentFirst() {
    let services = RequestFacts.Service.allCases.filter { $0 != .both }
    let orders =
      [Reason.badDeviceToken.causes]
      + services.map { Reason.badDeviceToken.causes(of: RequestFacts(service: $0)) }
    for causes in orders {
      let place = causes.firstIndex { $0.text.contains("altered") } ?? 0
      let build = causes.firstIndex { $0.text.contains("build") || $0.text.contains("environment") }
      #expect(build == 0 && place > 0, "\(causes)")
    }
  }

  @Test(
    "A suffix is foreign when it is another type's, or when the type's own is missing",
    arguments: [
      (PushType.alert, "com.example.app", false), (.alert, "com.example.app.voip", true),
      (.voip, "com.example.app.voip", false), (.voip, "com.example.app", true),
      (.liveactivity, "com.example.app.push-type.liveactivity", false),
    ])
  func suffixes(type: PushType, topic: String, isForeign: Bool) {
    let facts = RequestFacts(service: .other, pushType: type, topic: topic)
    #expect(facts.shows(.foreignSuffix) == isForeign)
  }
}
