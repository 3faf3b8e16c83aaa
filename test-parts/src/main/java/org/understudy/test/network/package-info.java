/** A network that tests control: ports, keys, and a proxy that loses and alters bytes. */
package org.understudy.test.network;
