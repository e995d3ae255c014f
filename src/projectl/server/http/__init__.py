"""How clients reach the games: HTTP, sockets, lines, the page."""
