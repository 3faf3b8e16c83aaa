/** The session protocol between a client and a Spread daemon, as pure functions of bytes. */
package org.understudy.channel.spread.session;
