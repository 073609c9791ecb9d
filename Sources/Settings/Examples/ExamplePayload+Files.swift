// Made by Scripts/embed of the folder payloads; change that, and run it again.
// swift-format-ignore-file

extension ExamplePayload {
  /// The names, in the order of payloads/README.md.
  package static let names: [String] = [
    "alert/plain",
    "alert/title-subtitle-body",
    "alert/greeting",
    "alert/badge",
    "alert/badge-clear",
    "alert/sound",
    "alert/critical-sound",
    "alert/localized",
    "alert/many-scripts",
    "alert/thread-and-category",
    "alert/order",
    "alert/time-sensitive",
    "alert/passive",
    "alert/mutable-image",
    "alert/communication",
    "alert/content-available",
    "alert/target-window",
    "alert/focus-filter",
    "background/refresh",
    "background/sync",
    "background/withdraw",
    "voip/incoming-call",
    "voip/group-call",
    "complication/next-pickup",
    "complication/headline",
    "fileprovider/working-set",
    "fileprovider/folder",
    "mdm/wake",
    "location/find-driver",
    "location/empty",
    "liveactivity/start",
    "liveactivity/start-with-token",
    "liveactivity/start-on-channel",
    "liveactivity/update",
    "liveactivity/update-with-alert",
    "liveactivity/update-localized",
    "liveactivity/end",
    "liveactivity/end-at-once",
    "pushtotalk/speaker",
    "pushtotalk/leave",
    "controls/reload",
    "widgets/reload",
  ]

  /// Every payload, in the same order.
  package static let all: [ExamplePayload] = [
    ExamplePayload(
      "alert/plain", #"The smallest alert: one line of text."#,
      #"""
{
  "aps": {
    "alert": "Your sourdough is out of the oven."
  }
}

"""#),
    ExamplePayload(
      "alert/title-subtitle-body", #"The three lines of an alert."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Order ready",
      "subtitle": "Corner Bakery, Mill Street",
      "body": "Two rye loaves and a plum cake are waiting at the counter until 18:00."
    }
  }
}

"""#),
    ExamplePayload(
      "alert/greeting", #"A text with placeholders; '--var name=Ada' or a list fills them."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Good morning, {{name|default('friend')}}",
      "body": "Your {{order|default('bread')}} is ready at the counter."
    },
    "sound": "default"
  },
  "readySince": "{{now}}"
}

"""#),
    ExamplePayload(
      "alert/badge", #"Sets the badge on the icon, without an alert or sound."#,
      #"""
{
  "aps": {
    "badge": 3
  }
}

"""#),
    ExamplePayload(
      "alert/badge-clear", #"Removes the badge from the icon."#,
      #"""
{
  "aps": {
    "badge": 0
  }
}

"""#),
    ExamplePayload(
      "alert/sound", #"An alert with a sound file from the app; 'default' is the system's sound."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Fresh croissants",
      "body": "The second batch is on the shelf."
    },
    "sound": "oven-bell.caf"
  }
}

"""#),
    ExamplePayload(
      "alert/critical-sound", #"A critical alert, which plays even in silent mode; the app needs an entitlement."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Cold room too warm",
      "body": "It is 11 °C at the Mill Street shop. Check the door."
    },
    "interruption-level": "critical",
    "sound": {
      "critical": 1,
      "name": "alarm.caf",
      "volume": 0.8
    }
  }
}

"""#),
    ExamplePayload(
      "alert/localized", #"Localized strings of the app, by key, with arguments."#,
      #"""
{
  "aps": {
    "alert": {
      "title-loc-key": "ORDER_READY_TITLE",
      "title-loc-args": [
        "4711"
      ],
      "subtitle-loc-key": "SHOP_NAME",
      "subtitle-loc-args": [
        "Mill Street"
      ],
      "loc-key": "ORDER_READY_BODY",
      "loc-args": [
        "Amira",
        "18:00"
      ]
    }
  }
}

"""#),
    ExamplePayload(
      "alert/many-scripts", #"Non-ASCII text: limits count bytes of UTF-8, not characters."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "おはようございます ☕️",
      "body": "صباح الخير · Доброе утро · Καλημέρα · Günaydın 🥐"
    }
  }
}

"""#),
    ExamplePayload(
      "alert/thread-and-category", #"Groups the notifications of an order and offers the buttons of a category."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Order 4711",
      "body": "The plum cake is sold out. Apple cake instead?"
    },
    "thread-id": "order-4711",
    "category": "SUBSTITUTION"
  },
  "orderID": "4711"
}

"""#),
    ExamplePayload(
      "alert/order", #"Custom data beside 'aps': what a tap opens."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "On its way",
      "body": "Your bread left the shop and arrives in about 20 minutes."
    },
    "sound": "default"
  },
  "orderID": "4711",
  "link": "https://shop.example.com/orders/4711"
}

"""#),
    ExamplePayload(
      "alert/time-sensitive", #"Breaks through Focus and the scheduled summary; the app needs an entitlement."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Your taxi is here",
      "body": "Grey estate, plate TX 204, at the main entrance."
    },
    "interruption-level": "time-sensitive",
    "sound": "default"
  }
}

"""#),
    ExamplePayload(
      "alert/passive", #"Goes to the notification list without lighting the screen, with a rank for the summary."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Weekend reading",
      "body": "Five long stories you may have missed."
    },
    "interruption-level": "passive",
    "relevance-score": 0.2
  }
}

"""#),
    ExamplePayload(
      "alert/mutable-image", #"An image that the app's service extension downloads and attaches."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Harbour bridge reopens",
      "body": "The first cars crossed at dawn after two years of work."
    },
    "mutable-content": 1
  },
  "imageURL": "https://images.example.com/2026/11/harbour-bridge.jpg"
}

"""#),
    ExamplePayload(
      "alert/communication", #"What a service extension needs to show a message with its sender."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Tomasz",
      "body": "I am parked next to the flower stand."
    },
    "thread-id": "trip-88213",
    "mutable-content": 1,
    "sound": "default"
  },
  "message": {
    "id": "a52c9f07",
    "conversation": "trip-88213",
    "sender": {
      "id": "driver-1907",
      "name": "Tomasz",
      "imageURL": "https://images.example.com/drivers/1907.jpg"
    }
  }
}

"""#),
    ExamplePayload(
      "alert/content-available", #"Shows an alert and wakes the app to load the article; its type is still alert."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Election result",
      "body": "The count is complete. Read how your district voted."
    },
    "content-available": 1
  },
  "articleID": "election-2026"
}

"""#),
    ExamplePayload(
      "alert/target-window", #"Chooses the window that a tap brings forward."#,
      #"""
{
  "aps": {
    "alert": "New comments on the story you follow.",
    "target-content-id": "article-harbour-bridge"
  }
}

"""#),
    ExamplePayload(
      "alert/focus-filter", #"Lets the app's Focus filter decide whether to show it."#,
      #"""
{
  "aps": {
    "alert": {
      "title": "Full time",
      "body": "The home side wins 2:1 in the last minute."
    },
    "filter-criteria": "sports"
  }
}

"""#),
    ExamplePayload(
      "background/refresh", #"Wakes the app silently, with no other data."#,
      #"""
{
  "aps": {
    "content-available": 1
  }
}

"""#),
    ExamplePayload(
      "background/sync", #"Wakes the app and says what to load."#,
      #"""
{
  "aps": {
    "content-available": 1
  },
  "sync": {
    "collection": "orders",
    "since": 20931
  }
}

"""#),
    ExamplePayload(
      "background/withdraw", #"Asks the app to remove notifications it has shown."#,
      #"""
{
  "aps": {
    "content-available": 1
  },
  "withdraw": [
    "breaking-5120",
    "breaking-5121"
  ]
}

"""#),
    ExamplePayload(
      "voip/incoming-call", #"A call that the app reports to CallKit."#,
      #"""
{
  "callID": "5f0c7b9e-3d54-4c1a-9a86-0e2f4b7d1c33",
  "caller": {
    "name": "Tomasz",
    "handle": "driver-1907"
  },
  "hasVideo": false
}

"""#),
    ExamplePayload(
      "voip/group-call", #"A group video call."#,
      #"""
{
  "callID": "0b8a6e52-71f4-4f0d-8f2b-c9d3a4e51760",
  "room": "morning-briefing",
  "hasVideo": true,
  "participants": [
    {
      "name": "Amira",
      "handle": "amira@example.com"
    },
    {
      "name": "Jonas",
      "handle": "jonas@example.com"
    }
  ]
}

"""#),
    ExamplePayload(
      "complication/next-pickup", #"Numbers for a watch face."#,
      #"""
{
  "nextPickup": {
    "order": "4711",
    "minutes": 12
  },
  "ordersWaiting": 4
}

"""#),
    ExamplePayload(
      "complication/headline", #"Text for a watch face."#,
      #"""
{
  "headline": "Harbour bridge reopens",
  "section": "City"
}

"""#),
    ExamplePayload(
      "fileprovider/working-set", #"Something changed: the extension checks its working set."#,
      #"""
{
  "container-identifier": "NSFileProviderWorkingSetContainerItemIdentifier",
  "domain": "mill-street"
}

"""#),
    ExamplePayload(
      "fileprovider/folder", #"One folder changed."#,
      #"""
{
  "container-identifier": "recipes-rye",
  "domain": "mill-street"
}

"""#),
    ExamplePayload(
      "mdm/wake", #"Asks a managed device to contact its server; the value is the PushMagic that the device sent."#,
      #"""
{
  "mdm": "C7A0B3D8-52E4-4F69-9B1D-6E8F20A4C915"
}

"""#),
    ExamplePayload(
      "location/find-driver", #"Asks for the device's location, and says for whom."#,
      #"""
{
  "query": {
    "id": "q-30418",
    "reason": "dispatch",
    "trip": "88213"
  }
}

"""#),
    ExamplePayload(
      "location/empty", #"Asks for the device's location; the extension knows the rest."#,
      #"""
{
  "aps": {}
}

"""#),
    ExamplePayload(
      "liveactivity/start", #"Starts the activity of a ride; goes to a push-to-start token."#,
      #"""
{
  "aps": {
    "timestamp": "{{now}}",
    "event": "start",
    "content-state": {
      "phase": "approaching",
      "minutes": 8
    },
    "attributes-type": "RideAttributes",
    "attributes": {
      "driver": "Tomasz",
      "plate": "TX 204",
      "pickup": "Main entrance"
    },
    "alert": {
      "title": "Taxi ordered",
      "body": "Tomasz is on his way.",
      "sound": "default"
    }
  }
}

"""#),
    ExamplePayload(
      "liveactivity/start-with-token", #"Starts it and asks the device for a token for the updates (iOS 18)."#,
      #"""
{
  "aps": {
    "timestamp": "{{now}}",
    "event": "start",
    "content-state": {
      "phase": "approaching",
      "minutes": 8
    },
    "attributes-type": "RideAttributes",
    "attributes": {
      "driver": "Tomasz",
      "plate": "TX 204",
      "pickup": "Main entrance"
    },
    "input-push-token": 1,
    "stale-date": "{{now+15m}}",
    "alert": {
      "title": "Taxi ordered",
      "body": "Tomasz is on his way.",
      "sound": "default"
    }
  }
}

"""#),
    ExamplePayload(
      "liveactivity/start-on-channel", #"Starts the activity of a match that is updated through a broadcast channel (iOS 18)."#,
      #"""
{
  "aps": {
    "timestamp": "{{now}}",
    "event": "start",
    "content-state": {
      "home": 0,
      "away": 0,
      "minute": 0
    },
    "attributes-type": "MatchAttributes",
    "attributes": {
      "home": "Northside",
      "away": "Riverton"
    },
    "input-push-channel": "Zml4dHVyZS1tYXRjaC03Mw==",
    "alert": {
      "title": "Kick-off",
      "body": "Northside against Riverton has begun."
    }
  }
}

"""#),
    ExamplePayload(
      "liveactivity/update", #"A new state, shown without a sound."#,
      #"""
{
  "aps": {
    "timestamp": "{{now}}",
    "event": "update",
    "content-state": {
      "phase": "approaching",
      "minutes": 4
    },
    "stale-date": "{{now+15m}}",
    "relevance-score": 50
  }
}

"""#),
    ExamplePayload(
      "liveactivity/update-with-alert", #"A new state that also lights the screen; the sound is inside 'alert'."#,
      #"""
{
  "aps": {
    "timestamp": "{{now}}",
    "event": "update",
    "content-state": {
      "phase": "arrived",
      "minutes": 0
    },
    "relevance-score": 100,
    "alert": {
      "title": "Your taxi is here",
      "body": "Grey estate, plate TX 204.",
      "sound": "horn.caf"
    }
  }
}

"""#),
    ExamplePayload(
      "liveactivity/update-localized", #"The same with localized strings; in a Live Activity they are objects."#,
      #"""
{
  "aps": {
    "timestamp": "{{now}}",
    "event": "update",
    "content-state": {
      "phase": "arrived",
      "minutes": 0
    },
    "alert": {
      "title": {
        "loc-key": "TAXI_HERE_TITLE"
      },
      "body": {
        "loc-key": "TAXI_HERE_BODY",
        "loc-args": [
          "TX 204"
        ]
      },
      "sound": "default"
    }
  }
}

"""#),
    ExamplePayload(
      "liveactivity/end", #"The last state, which stays on the screen for half an hour."#,
      #"""
{
  "aps": {
    "timestamp": "{{now}}",
    "event": "end",
    "content-state": {
      "phase": "completed",
      "minutes": 0
    },
    "dismissal-date": "{{now+30m}}"
  }
}

"""#),
    ExamplePayload(
      "liveactivity/end-at-once", #"Ends and removes it: the dismissal date has passed."#,
      #"""
{
  "aps": {
    "timestamp": "{{now}}",
    "event": "end",
    "content-state": {
      "phase": "cancelled",
      "minutes": 0
    },
    "dismissal-date": "{{now-5m}}"
  }
}

"""#),
    ExamplePayload(
      "pushtotalk/speaker", #"Someone in the channel begins to speak."#,
      #"""
{
  "aps": {},
  "activeSpeaker": {
    "name": "Dispatch",
    "imageURL": "https://images.example.com/dispatch.png"
  }
}

"""#),
    ExamplePayload(
      "pushtotalk/leave", #"The channel is closed; the app leaves it."#,
      #"""
{
  "aps": {},
  "channelClosed": {
    "name": "Night shift"
  }
}

"""#),
    ExamplePayload(
      "controls/reload", #"Reloads the app's controls."#,
      #"""
{
  "aps": {
    "content-changed": true
  }
}

"""#),
    ExamplePayload(
      "widgets/reload", #"Reloads the app's widgets."#,
      #"""
{
  "aps": {
    "content-changed": true
  }
}

"""#),
  ]
}
