/** The client's view of the group: its replicas and the requests that each serves. Not API. */
package org.understudy.client.view;
