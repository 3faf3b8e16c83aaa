/** A group channel over a running daemon of the Spread toolkit. */
package org.understudy.channel.spread;
