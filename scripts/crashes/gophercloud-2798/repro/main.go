package main

import (
	"fmt"

	"github.com/gophercloud/gophercloud"
)

func main() {
	c := &gophercloud.ServiceClient{
		ProviderClient: &gophercloud.ProviderClient{TokenID: "token"},
		Endpoint:       "http://localhost:1/",
		Type:           "compute",
		MoreHeaders:    map[string]string{"X-Trace": "on"},
	}
	resp, err := c.Request("GET", c.ServiceURL("servers"), &gophercloud.RequestOpts{OkCodes: []int{200}})
	fmt.Println(resp, err)
}
