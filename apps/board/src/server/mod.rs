//! The server: where it listens, who may ask, and what is answered.

mod assets;
mod guard;
mod routes;

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;

use axum::Router;
use axum::middleware;

use self::guard::{Guard, check};
use crate::sessions::{Sessions, secret};

/// Requests that are worked on at a time.
const THREADS: usize = 16;

/// What all requests share.
struct App {
    sessions: Arc<Sessions>,
    guard: Guard,
}

/// A server that listens, and has not answered yet.
pub struct Server {
    listener: TcpListener,
    bound: SocketAddr,
    app: Arc<App>,
}

impl Server {
    /// A server of these sessions at a port, or at one that is free if it is 0.
    pub fn bind(address: IpAddr, port: u16, sessions: Arc<Sessions>) -> io::Result<Self> {
        let listener = TcpListener::bind((address, port))?;
        let bound = listener.local_addr()?;
        let guard = Guard::new(secret::<16>()?, bound);
        let server = Self { listener, bound, app: Arc::new(App { sessions, guard }) };
        if let Some(invitation) = server.invitation() {
            server.app.sessions.invite(invitation);
        }
        Ok(server)
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        // A server that listens everywhere is reached here too.
        let host = match self.bound.ip() {
            ip if ip.is_unspecified() && ip.is_ipv6() => IpAddr::from([0_u16, 0, 0, 0, 0, 0, 0, 1]),
            ip if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
            ip => ip,
        };
        self.url_at(host)
    }

    fn url_at(&self, host: IpAddr) -> String {
        let address = SocketAddr::new(host, self.bound.port());
        format!("http://{address}/{}/", self.app.guard.token())
    }

    /// The address for others in the local network, if they are let in.
    pub fn invitation(&self) -> Option<String> {
        let ip = self.bound.ip();
        if ip.is_loopback() {
            return None;
        }
        let seen = if ip.is_unspecified() { outside_address()? } else { ip };
        Some(self.url_at(seen))
    }

    /// Answers until the process ends.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS)
            .build()?;
        self.listener.set_nonblocking(true)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let guarded = middleware::from_fn_with_state(Arc::clone(&self.app), check);
            let router: Router = routes::routes().with_state(Arc::clone(&self.app)).layer(guarded);
            axum::serve(listener, router).await
        })
    }
}

/// The address by which this computer reaches others. Nothing is sent for that.
fn outside_address() -> Option<IpAddr> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").ok()?;
    // An address for documentation: the system only looks up the way there.
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
}
