"""A bot on a server of Project L, in plain Python: `python stream_bot.py http://HOST/join/GAME#INVITATION`."""

import json
import random
import sys
import time
import urllib.error
import urllib.request

# What it likes best comes first; anything else comes last.
LIKES = ["done", "master", "place", "reward", "levelup", "take", "gain", "upgrade", "recycle"]


def dislike(action):
    verb = action.split()[0]
    rank = LIKES.index(verb) if verb in LIKES else len(LIKES)
    return rank - len(action) / 20 + random.random() * 3  # more at once is better; a bit of chance


def ask(address, token="", body=None):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = json.dumps(body).encode() if body else None
    return urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=60)


page, invite = sys.argv[1].split("#")
table = page.replace("/join/", "/api/tables/")
token = json.load(ask(f"{table}/join", body={"invite": invite, "name": "Stream bot", "token": True}))["token"]
version, result = 0, None
while not result:
    try:
        for line in ask(f"{table}/stream?since={version}", token):
            message = json.loads(line.strip() or "{}")  # an empty line only says that the stream lives
            if message.get("type") == "state":
                version, result = message["version"], message["view"]["result"]
                for actions in message.get("legal", {}).values():
                    action = {"id": f"move-{version}", "version": version, "action": min(actions, key=dislike)}
                    ask(f"{table}/actions", token, action).close()
    except urllib.error.HTTPError as refusal:  # somebody else was quicker: look again
        print(refusal.read().decode(), file=sys.stderr)
    except OSError:  # the server restarts: come back with what we have
        time.sleep(1)
print(json.dumps(result))
