/** A connection for HTTP requests that costs the measuring process little. */
package org.understudy.lab.http;
