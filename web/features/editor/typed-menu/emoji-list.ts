/** Emoji: the character, its name as in chats, and search keywords. */
export const emojiList = `
😀 grinning happy smile
😃 smiley happy
😄 smile happy joy
😁 grin
😆 laughing haha
😅 sweat_smile relief
😂 joy tears laugh lol
🤣 rofl laugh
🙂 slightly_smiling smile
🙃 upside_down
😉 wink
😊 blush smile
😇 innocent angel halo
🥰 smiling_hearts love
😍 heart_eyes love
🤩 star_struck wow excited
😘 kiss
😋 yum tasty
😜 winking_tongue silly
🤪 zany crazy
🤗 hug hugging
🤭 hand_over_mouth oops
🤫 shush quiet secret
🤔 thinking hmm
🤐 zipper_mouth
🤨 raised_eyebrow
😐 neutral
😏 smirk
😒 unamused
🙄 rolling_eyes
😬 grimacing
😌 relieved
😴 sleeping zzz
🤒 thermometer sick ill
🤯 exploding_head mind_blown
🥳 partying party celebrate
😎 sunglasses cool
🤓 nerd
🧐 monocle inspect
😕 confused
😟 worried
😮 open_mouth wow
😲 astonished
🥺 pleading
😢 cry sad
😭 sob cry
😱 scream
😤 triumph
😡 rage angry
🤬 cursing
💀 skull dead
💩 poop
🤖 robot bot ai
👻 ghost
👽 alien
😺 cat_smile
🙈 see_no_evil monkey
🙉 hear_no_evil monkey
🙊 speak_no_evil monkey
👋 wave hello hi bye
🖐️ hand five
✋ raised_hand stop
👌 ok_hand perfect
🤌 pinched_fingers
✌️ v victory peace
🤞 crossed_fingers luck
🤘 metal rock
🤙 call_me
👈 point_left
👉 point_right
👆 point_up
👇 point_down
👍 thumbsup +1 yes like
👎 thumbsdown -1 no dislike
✊ fist
👊 punch fist_bump
👏 clap applause bravo
🙌 raised_hands hooray
🫶 heart_hands
🙏 pray thanks please
🤝 handshake deal
💪 muscle strong
🧠 brain
👀 eyes look
👁️ eye see
👂 ear listen
👤 person user
👥 people users team
🧑‍💻 developer coder technologist
🧑‍🎨 designer artist
🕵️ detective
👷 construction_worker
🦸 superhero
🧙 mage wizard
🙋 raising_hand question
🤷 shrug
🤦 facepalm
❤️ heart love red
🧡 orange_heart
💛 yellow_heart
💚 green_heart
💙 blue_heart
💜 purple_heart
🖤 black_heart
🤍 white_heart
💔 broken_heart
💖 sparkling_heart
💯 100 hundred perfect
💥 boom collision bang
💫 dizzy
💬 speech comment chat
💭 thought
💤 zzz sleep
🔥 fire hot lit
✨ sparkles new magic shiny
⭐ star favourite
🌟 glowing_star
⚡ zap lightning fast performance
🎉 tada party celebrate release launch
🎊 confetti
🎈 balloon
🎁 gift present
🎂 cake birthday
🏆 trophy win
🥇 first_place gold medal
🥈 second_place silver
🥉 third_place bronze
🎯 dart target goal bullseye
🎨 art design palette theme
🎬 clapper film video
🎤 microphone
🎧 headphones
🎵 music note
🎮 game
🎲 dice random
🧩 puzzle plugin integration extension
🚀 rocket launch ship release
🛸 ufo
✈️ airplane
🚗 car
🚲 bike
🚂 train
🚢 ship boat
🏗️ building_construction
🏠 house home
🏢 office
🏁 finish flag
🚩 red_flag
🏳️‍🌈 rainbow_flag pride
🌈 rainbow
☀️ sun sunny
🌤️ partly_sunny
☁️ cloud
🌧️ rain
⛈️ storm
❄️ snow snowflake cold freeze
⛄ snowman
🌊 wave_sea ocean
🌍 earth_europe world globe
🌎 earth_americas world globe
🌏 earth_asia world globe
🌐 web globe internet language
🌙 moon night dark
🌱 seedling plant grow sustainable
🌳 tree
🌵 cactus
🌷 tulip flower
🌹 rose
🌻 sunflower
🍀 clover luck
🍁 maple autumn
🍎 apple
🍋 lemon
🍌 banana
🍉 watermelon
🍓 strawberry
🍑 peach
🥑 avocado
🌶️ hot_pepper
🍞 bread
🧀 cheese
🍕 pizza
🍔 burger
🍟 fries
🌮 taco
🍪 cookie cookies
🍫 chocolate
🍰 cake_slice
🍿 popcorn
☕ coffee
🍵 tea
🍺 beer
🍷 wine
🥂 cheers champagne toast
🐶 dog
🐱 cat
🐭 mouse_animal
🦊 fox
🐻 bear
🐼 panda
🐨 koala
🦁 lion
🐸 frog
🐵 monkey
🐔 chicken
🐧 penguin linux
🐦 bird
🦉 owl
🦄 unicorn
🐝 bee
🐛 bug caterpillar fix
🐞 ladybug bug
🦋 butterfly
🐢 turtle slow
🐍 snake python
🐙 octopus
🐳 whale docker
🐬 dolphin
🐟 fish
🦕 dinosaur
🐌 snail slow
⌚ watch
📱 iphone mobile phone
💻 laptop computer
🖥️ desktop computer
⌨️ keyboard shortcut
🖱️ computer_mouse
🖨️ printer
💾 floppy save
💿 cd disc
📷 camera photo
📸 camera_flash screenshot
🎥 movie_camera video
📺 tv
📞 telephone
🔋 battery
🔌 plug plugin electric
💡 bulb idea tip
🔦 flashlight
🧭 compass
⏰ alarm_clock
⏱️ stopwatch
⏳ hourglass wait
📅 calendar date
📆 tear_off_calendar
🗓️ spiral_calendar schedule
📈 chart_up growth analytics
📉 chart_down
📊 bar_chart analytics statistics
📋 clipboard
📌 pushpin pin
📍 round_pushpin location
📎 paperclip attachment
🔗 link chain url
✂️ scissors cut
📁 folder
📂 open_folder
🗂️ dividers tabs
🗃️ card_box archive
🗑️ wastebasket delete trash bin
📄 page document file
📝 memo write note edit
✏️ pencil edit
🖊️ pen
🖍️ crayon
📖 book read docs
📚 books library docs
📰 newspaper news
🔖 bookmark
🏷️ label tag
📣 megaphone announcement
📢 loudspeaker announcement
🔔 bell notification
🔕 no_bell mute
✉️ envelope mail email
📧 email mail
📨 incoming_envelope
📬 mailbox
📦 package box release
🛒 cart shopping
💳 credit_card payment billing
💰 money_bag
💵 dollar money
💶 euro money
🪙 coin
🧾 receipt invoice
🔒 lock secure security
🔓 unlock open
🔐 lock_key secure
🔑 key password api
🛡️ shield security protect
🚨 rotating_light alert incident
🚧 construction wip maintenance
⚠️ warning attention
⛔ no_entry
🚫 prohibited no
❌ x cross no wrong
❎ cross_mark_button
✅ white_check_mark check done yes fixed
☑️ ballot_box check
✔️ check_mark tick done
❓ question
❗ exclamation
‼️ bangbang
➕ plus add
➖ minus remove
➗ divide
✖️ multiply
♾️ infinity
🔄 arrows_counterclockwise refresh sync update
🔁 repeat
🔃 reload
⬆️ arrow_up
⬇️ arrow_down
⬅️ arrow_left
➡️ arrow_right
↩️ return undo back
🔙 back
🔝 top
🆕 new
🆙 up
🆒 cool_button
🆓 free
🆗 ok
🔢 numbers
🔤 letters abc
ℹ️ information info
🔍 mag search find
🔎 mag_right search find
🔧 wrench fix tool settings
🔨 hammer build
🛠️ tools fix
⚙️ gear settings config
🧰 toolbox
🧪 test_tube experiment beta
🧬 dna
🔬 microscope
🔭 telescope
🩹 bandage fix patch
💊 pill
🧹 broom cleanup clean
🧼 soap
🧱 brick block
🪄 magic_wand
🔮 crystal_ball future
💎 gem diamond
🪝 hook webhook
🧵 thread
🗺️ map roadmap
🛣️ road roadmap
🎓 graduation learn
🏅 medal
👑 crown
🎩 hat
👓 glasses accessibility
♿ wheelchair accessibility
♻️ recycle
🟢 green_circle online
🟡 yellow_circle
🔴 red_circle live
🔵 blue_circle
⚫ black_circle
⚪ white_circle
🟩 green_square
🟥 red_square
🔸 small_orange_diamond
🔹 small_blue_diamond
🇪🇺 eu europe flag
🇬🇧 gb uk flag
🇺🇸 us usa flag
🇩🇪 de germany flag
🇫🇷 fr france flag
🇪🇸 es spain flag
🇮🇹 it italy flag
🇯🇵 jp japan flag
`;
