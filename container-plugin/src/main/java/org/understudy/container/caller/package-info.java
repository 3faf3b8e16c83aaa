/** Who sends a request, also through another replica, and how many requests of each client are served at once. */
package org.understudy.container.caller;
